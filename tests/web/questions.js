// Questions that the tests review.

export const QUESTIONS = {
  2: "小明有5个苹果，小红有3个苹果，小明比小红多几个苹果？",
  5: "小明有5个苹果，小红有3个苹果，小红比小明少几个苹果？",
  9: "小明有5个苹果，小红有3个苹果，小明比小红多几个苹果。",
  12: "小明有5个苹果，小红有3个苹果，请问小明比小红多几个苹果？",
  20: ["一根绳子长12米，用去3米，还剩多少米？", "9"],
  21: ["一根绳子长12米，用去了3米，还剩多少米？", "9"],
  22: ["一根绳子长12厘米，用去3厘米，还剩多少厘米？", "9"],
  30: "解方程 2x+3=11，并求出 x 的值。<script>window.hostile = 1</script>",
  31: "解方程 2x+3=11，求出 x 的值。<script>window.hostile = 1</script>",
  40: "下列说法正确的是哪一项？<img src=x onerror=\"window.hostile = 1\">",
  41: "下列说法不正确的是哪一项？<img src=x onerror=\"window.hostile = 1\">",
};

export const LISTS = [[2, 5, 9, 12], [20, 21, 22], [30, 31], [40, 41]];
