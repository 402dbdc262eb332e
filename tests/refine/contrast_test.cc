#include "refine/contrast.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const ContrastSettings words_alone{0, 0};

Contrast between(std::string_view question, std::string_view keeper) {
  return contrast({question}, {keeper}, CharacterCounts(), words_alone);
}

void expect_doubtful(const std::vector<std::pair<const char*, const char*>>& pairs) {
  for (const auto& [question, keeper] : pairs)
    EXPECT_EQ(between(question, keeper).confidence, Confidence::doubtful) << question;
}

std::vector<std::string> kinds(const std::vector<Finding>& findings) {
  std::vector<std::string> kinds;
  kinds.reserve(findings.size());
  for (const Finding& finding : findings) kinds.push_back(finding.kind);
  return kinds;
}

std::string at(std::string_view text, CodePointRange range) {
  return to_utf8(to_utf32(text).substr(range.begin, range.end - range.begin));
}

struct Example {
  std::string_view name;
  std::string_view kind;  // of one of the differences; empty: any
  std::string_view question;
  std::string_view keeper;
};

std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.name; }

std::string example_name(const testing::TestParamInfo<Example>& info) { return std::string(info.param.name); }

class Doubtful : public testing::TestWithParam<Example> {};

TEST_P(Doubtful, HasTheReason) {
  const Contrast result = between(GetParam().question, GetParam().keeper);
  EXPECT_EQ(result.confidence, Confidence::doubtful);
  EXPECT_THAT(kinds(result.reasons), Contains(std::string(GetParam().kind)));
}

INSTANTIATE_TEST_SUITE_P(
    Contrast, Doubtful,
    testing::Values(
        Example{"NegationInStem", "negation",
                "关于光合作用，说法不正确的是 A.吸收氧气 B.释放氧气 C.只在夜间进行",
                "关于光合作用，说法正确的是 A.吸收氧气 B.释放氧气 C.只在夜间进行"},
        Example{"NegationInStory", "negation", "书架上已经读过的书有30本，占(1/3)，一共有多少本书？",
                "书架上没有读过的书有30本，占(1/3)，一共有多少本书？"},
        Example{"MoreAgainstLess", "polarity:多/少", "果园里梨树比桃树多(1/4)，桃树有80棵，梨树有多少棵？",
                "果园里梨树比桃树少(1/4)，桃树有80棵，梨树有多少棵？"},
        Example{"LessAgainstMore", "polarity:多/少", "果园里梨树比桃树少(1/4)，桃树有80棵，梨树有多少棵？",
                "果园里梨树比桃树多(1/4)，桃树有80棵，梨树有多少棵？"},
        Example{"OppositesInStem", "polarity:阳性/阴性",
                "T淋巴细胞经过阴性选择可获得？ A.耐受 B.重排 C.限制性",
                "T淋巴细胞经过阳性选择可获得？ A.耐受 B.重排 C.限制性"},
        Example{"BaseMissing", "stem-differs",
                "梨有30千克，橘子是梨的2倍，是苹果的3倍，苹果和橘子各有多少千克？",
                "梨有30千克，橘子是梨的2倍，是3倍，苹果和橘子各有多少千克？"},
        Example{"RestMissing", "quantity",
                "修一条长600米的路，第一天修了(1/5)，第二天修了余下的(1/4)，还要修多少米？",
                "修一条长600米的路，第一天修了(1/5)，第二天修了(1/4)，还要修多少米？"},
        Example{"OneOfTwoThingsAtTheStart", "renamed-part",
                "冰箱厂计划全年生产电视机30万台，平均每月生产电视机多少台？",
                "电视机厂计划全年生产电视机30万台，平均每月生产电视机多少台？"},
        Example{"AloneAgainstTogether", "polarity:合作/单独", "一项工程甲乙合作6天完成，照这样要用几天？",
                "一项工程甲乙单独6天完成，照这样要用几天？"},
        Example{"MoneyAgainstWeight", "unit", "5千克梨要10元，20元的梨是多少元？",
                "5千克梨要10元，20元的梨是多少千克？"},
        Example{"UnitMissing", "unit", "一条彩带长3米，用去了(1/3)米，还剩下多少米？",
                "一条彩带长3米，用去了(1/3)，还剩下多少米？"},
        Example{"UnitExchanged", "unit", "甲地到乙地长5千米，走了2千米，还有多少千米？",
                "甲地到乙地长5千米，走了2千米，还有多少米？"},
        Example{"NumberWritten", "number-word", "把三根20厘米长的铁丝接起来，每个接头2厘米，一共长多少厘米？",
                "把五根20厘米长的铁丝接起来，每个接头2厘米，一共长多少厘米？"},
        Example{"NumberMoved", "number-moved", "小红有3支铅笔和钢笔5支，钢笔每支几元？",
                "小红有铅笔3支和5支钢笔，钢笔每支几元？"},
        Example{"QuantityExchanged", "quantity", "一件大衣的进价是200元，加价20%出售，可卖多少元？",
                "一件大衣的原价是200元，加价20%出售，可卖多少元？"},
        Example{"QuantityAsked", "quantity", "圆形花坛的面积是3平方米，求花坛的周长是多少？",
                "圆形花坛的面积是3平方米，求花坛的半径是多少？"},
        Example{"DividendAgainstDivisor", "role-swap", "除数是7，商是6，余数是4，被除数=？",
                "被除数是7，商是6，余数是4，除数=？"},
        Example{"AverageAgainstSum", "quantity", "甲、乙两数的平均数是70，它们的比是2：5，甲数=？",
                "甲、乙两数的和是70，它们的比是2：5，甲数=？"},
        Example{"FractionOfAnotherNumber", "number-moved", "一个数的(5/9)是20，则这个数的(3/10)=？",
                "一个数的(5/9)是20的(3/10)，这个数=？"},
        Example{"OneAmountMoreAsked", "asks-else", "用多少木料做桌面，多少木料做5条桌腿，正好配成方桌？",
                "用多少木料做桌面，多少木料做5条桌腿，正好配成方桌多少张？"},
        Example{"EarlierAgainstOnly", "quantity",
                "汽车上山行了5小时，下山提前了4小时，上山每小时54千米，下山每小时多少千米？",
                "汽车上山行了5小时，下山只用了4小时，上山每小时54千米，下山每小时多少千米？"},
        Example{"NotDoneIsNotLeft", "negation", "一本书有25页没看，看了9天，一共有多少页？",
                "一本书有25页看，看了9天，一共有多少页？"},
        Example{"GoesOn", "quantity", "小明3分钟行210米，照这样他10分钟能行多少米？",
                "小明3分钟行210米，照这样再行10分钟，共行多少米？"},
        Example{"FasterAgainstSlower", "polarity:快/慢",
                "甲车每小时比乙车快5千米，乙车每小时40千米，甲车几千米？",
                "甲车每小时比乙车慢5千米，乙车每小时40千米，甲车几千米？"},
        Example{"LabelOfAnotherThatIsThere", "quantity", "甲队有8人，乙队比甲队多5人，求甲队的2倍是多少？",
                "甲队有8人，乙队比甲队多5人，求乙队的2倍是多少？"},
        Example{"IncreasedToAgainstBy", "quantity", "产量从600吨增加到726吨，增长率是多少？",
                "产量从600吨增加726吨，增长率是多少？"},
        Example{"OpposedDirection", "quantity", "两人同时从家里出发，每分钟走70米和50米，相遇时走了多少米？",
                "两人同时从家里出发，同向而行，每分钟走70米和50米，相遇时走了多少米？"},
        Example{"HowManyAgainstFraction", "quantity", "一袋糖有24块，吃了5块，还有几块？",
                "一袋糖有24块，吃了5块，还有几分之几？"},
        Example{"TimeOfTheAmountsAsked", "unit", "甲乙两人工作5小时做了40个，甲、乙各做多少个？",
                "甲乙两人工作5小时做了40个，甲、乙每小时各做多少个？"},
        Example{"WidthAsked", "quantity", "一块布长3米，剪去1米，还长多少米？",
                "一块布长3米，剪去1米，还宽多少米？"},
        Example{"RolesSwapped", "role-swap", "学校有60个篮球，足球比篮球少(1/5)，足球有多少个？",
                "学校有60个篮球，篮球比足球少(1/5)，足球有多少个？"},
        Example{"AnotherThingAsked", "renamed-part",
                "公园里有槐树60棵，柳树比槐树多(1/3)，槐树比柳树少多少棵？",
                "公园里有槐树60棵，柳树比槐树多(1/3)，柳树比柳树少多少棵？"},
        Example{"OnlyOnePlaceRenamed", "renamed-part", "鸭有80只，鹅有20只，鸭的只数是鹅的几倍？鸭每只5元。",
                "鸭有80只，鹅有20只，鸡的只数是鹅的几倍？鸭每只5元。"},
        Example{"LeftAgainstUsed", "polarity:还剩/用去", "一本书有120页，看了(1/4)，还剩多少页？",
                "一本书有120页，看了(1/4)，用去多少页？"},
        Example{"AsksElse", "asks-else", "唾液含的消化酶是? A.淀粉酶 B.蛋白酶 C.肽酶",
                "胰液含的消化酶是? A.淀粉酶 B.蛋白酶 C.肽酶"},
        Example{"ShortStemOverTheSameOptions", "asks-else",
                "“问号类”业务单位的特征是 A.高增长低份额 B.低增长高份额",
                "“明星类”业务单位的特征是 A.高增长低份额 B.低增长高份额"},
        Example{"StemDiffers", "stem-differs", "鲁迅写了《故乡》，下列正确的是 A.小说 B.散文 C.诗",
                "鲁迅写了《孔乙己》，下列正确的是 A.小说 B.散文 C.诗"},
        Example{"FillersWithinWords", "renamed-part", "索绪尔所说的能指是 A.音响形象 B.概念",
                "索绪尔所说的所指是 A.音响形象 B.概念"},
        Example{"SwappedWithinAWord", "role-swap", "同源异流现象属于 A.同化 B.异化",
                "异源同流现象属于 A.同化 B.异化"},
        Example{"OptionsInAnotherOrder", "options-reordered", "我国最长的河是 A.黄河 B.长江 C.珠江",
                "我国最长的河是 A.长江 B.黄河 C.珠江"},
        Example{"AnotherDistractor", "option-differs", "我国最长的河是 A.黄河 B.长江 C.珠江",
                "我国最长的河是 A.黄河 B.长江 C.淮河"},
        Example{"AnOptionMore", "option-differs", "我国最长的河是 A.黄河 B.长江 C.珠江",
                "我国最长的河是 A.黄河 B.长江"},
        Example{"HowAgainstWhen", "asks-else", "秦始皇是怎样统一六国的？请你说明",
                "秦始皇是何时统一六国的？请你说明"},
        Example{"HowAgainstWhyInAnotherPlace", "asks-else", "国家应怎样维护统一？请你说明",
                "国家为什么应维护统一？请你说明"},
        Example{"InAllAgainstEach", "polarity:一共有/分别",
                "小明和小红一共有12本书，小明给小红2本后同样多，小明原来有多少本？",
                "小明和小红分别有12本书，小明给小红2本后同样多，小明原来有多少本？"},
        Example{"GivesAgainstGets", "polarity:给/得到",
                "小明给小红5张画片后，两人同样多，小明原来有30张，小红原来有多少张？",
                "小明得到小红5张画片后，两人同样多，小明原来有30张，小红原来有多少张？"},
        Example{"AboutAgainstExactly", "polarity:大约/恰好",
                "一个数四舍五入到百位大约是3600，这个数最大是多少？",
                "一个数四舍五入到百位恰好是3600，这个数最大是多少？"},
        Example{"EachOfAnotherThing", "renamed-part",
                "小明买了4本邮票，每本10张，每张2元，他一共花了多少元？",
                "小明买了4本邮票，每本10张，每本2元，他一共花了多少元？"},
        Example{"NumberWithALargerUnit", "number-word",
                "物体在空气中的重力为4.8牛，在水中的示数为3牛，浮力是多少牛？",
                "物体在空气中的重力为4.8千牛，在水中的示数为3牛，浮力是多少牛？"},
        Example{"OneOfTheThingsTold", "asks-else",
                "袋子里有红气球20个，蓝气球比红气球多5个，请问气球一共有多少个？",
                "袋子里有红气球20个，蓝气球比红气球多5个，请问红气球一共有多少个？"},
        Example{"OnlyWhatIsAskedIsNamedOtherwise", "quantity",
                "数据2，3，3，5，7的中位数是多少？请你写出计算的过程",
                "数据2，3，3，5，7的众数是多少？请你写出计算的过程"},
        Example{"CitedSynonym", "asks-else", "“创建”的近义词是哪一个？请选择正确的答案",
                "“创立”的近义词是哪一个？请选择正确的答案"},
        Example{"NamedSynonym", "asks-else", "理解的近义词是下列哪一个词语？A.明白 B.误解 C.曲解",
                "了解的近义词是下列哪一个词语？A.明白 B.误解 C.曲解"},
        Example{"EqualityTurnedRound", "number-moved", "果园里有梨树120棵，是桃树的3倍，桃树有多少棵？",
                "果园里有梨树120棵，桃树是它的3倍，桃树有多少棵？"},
        Example{"EqualityTurnedRoundByAPronoun", "number-moved",
                "小明有图书45本，小红是他的3倍，小红有多少本图书？",
                "小明有图书45本，他是小红的3倍，小红有多少本图书？"},
        Example{"LentAgainstBorrowed", "polarity:借给/借",
                "小明借给小红20元后，两人的钱数相等，小红原来有30元，小明原来有多少元？",
                "小明借了小红20元后，两人的钱数相等，小红原来有30元，小明原来有多少元？"},
        Example{"PassiveAgainstActive", "polarity:被/把",
                "小明被小红追上时已走了300米，小红每分钟走60米，小明每分钟走50米，相距多少米？",
                "小明把小红追上时已走了300米，小红每分钟走60米，小明每分钟走50米，相距多少米？"},
        Example{"DoneAgainstToBeDone", "polarity:已/要",
                "一条路长300米，第1天已修60米，剩下的每天修40米，要几天修完？",
                "一条路长300米，第1天要修60米，剩下的每天修40米，要几天修完？"},
        Example{"CanAgainstNeeds", "polarity:能/需要", "当事人能申请回避的情形是 A.近亲属 B.同学 C.邻居",
                "当事人需要申请回避的情形是 A.近亲属 B.同学 C.邻居"},
        Example{"PositiveAgainstAny", "quantity", "求满足不等式x<5的正整数解的个数一共有多少个？",
                "求满足不等式x<5的整数解的个数一共有多少个？"},
        Example{"TwoOfAKindAgainstOne", "number-word", "养殖场原有兔子8对，又买来5只，一共有多少只兔子？",
                "养殖场原有兔子8只，又买来5只，一共有多少只兔子？"},
        Example{"AnotherWordReadAlike", "stem-differs",
                "当事人约定的定金数额超过法律限制的，超过部分如何处理？",
                "当事人约定的订金数额超过法律限制的，超过部分如何处理？"},
        Example{"LostAgainstFound", "quantity", "小明有15个玻璃球，丢了3个，现在小明有多少个玻璃球？",
                "小明有15个玻璃球，捡了3个，现在小明有多少个玻璃球？"},
        Example{
            "MovedWithinALongOption", "role-swap",
            "电影造型与美术造型最大的区别在于 A.电影造型是动态造型而美术造型是静态造型 B.工具对象都有差别",
            "电影造型与美术造型最大的区别在于 A.美术造型是动态造型而电影造型是静态造型 B.工具对象都有差别"},
        Example{"OnlyInAnOption", "quantity",
                "关于抑癌基因的叙述，正确的是 A.抑癌基因只存在于肿瘤细胞中 B.抑癌基因维持细胞的正常生长",
                "关于抑癌基因的叙述，正确的是 A.抑癌基因存在于肿瘤细胞中 B.抑癌基因维持细胞的正常生长"},
        Example{"FromUpwardsAgainstUpTo", "polarity:以上/以下",
                "情节严重的，处三年以上有期徒刑，并处罚金的罪名是 A.诈骗罪 B.侵占罪",
                "情节严重的，处三年以下有期徒刑，并处罚金的罪名是 A.诈骗罪 B.侵占罪"},
        Example{"ByAgainstTo", "polarity:由/对", "由全国人大选举产生的国家机关是什么？请写出来",
                "对全国人大选举产生的国家机关是什么？请写出来"},
        Example{"TermWithAFiller", "asks-else", "主要矛盾在事物发展过程中起什么样的作用？",
                "矛盾在事物发展过程中起什么样的作用？"},
        Example{"StatementExchanged", "asks-else", "正确的有①太阳发光②月亮发光 A.① B.② C.①②",
                "正确的有①太阳发光②地球发光 A.① B.② C.①②"}),
    example_name);

// Pairs that a reader calls the same. With texts so short there is little else to go by, so the model doubts
// some.
const std::vector<Example> same = {
    Example{"Particle", "filler", "今天空气温度为10度，明天是几度？", "今天的空气温度为10度，明天是几度？"},
    Example{"InAll", "filler", "一共买了3支笔，每支2元，共用多少元？",
            "共买了3支笔，每支2元，一共用多少元？"},
    Example{"CopulaInAQuestion", "filler", "20人乘5辆车，春游的总人数是多少人？",
            "20人乘5辆车，春游的总人数为多少人？"},
    Example{"Please", "filler", "3个5相加得多少？", "请问3个5相加得多少？"},
    Example{"IsAndEquals", "", "长方形的长是5米，宽是3米，面积=多少？",
            "长方形的长等于5米，宽为3米，面积=多少？"},
    Example{"QuestionWords", "filler", "下列属于哺乳动物的是哪项 A.鲸 B.鲨鱼",
            "以下哪个是哺乳动物？ A.鲸 B.鲨鱼"},
    Example{"AndInAList", "filler", "存储器和控制器组成 A.主机 B.外设", "存储器与控制器组成 A.主机 B.外设"},
    Example{"HowMany", "filler", "一箱苹果24个，吃了5个，还有几个？", "一箱苹果24个，吃了5个，还有多少个？"},
    Example{"Classifier", "filler", "4个桌腿配1张桌面，20个桌腿配几张？",
            "4条桌腿配1张桌面，20条桌腿配几张？"},
    Example{"PupilAndStudent", "synonym", "五(1)班有40名同学，其中18名是女生，男生多少名？",
            "五(1)班有40名学生，其中18名是女生，男生多少名？"},
    Example{"WrongAndIncorrect", "synonym", "关于细胞，说法错误的是 A.有核 B.无核",
            "关于细胞，说法不正确的是 A.有核 B.无核"},
    Example{"KilogramAndGongjin", "synonym", "买了3千克米，吃了1千克，还剩多少千克？",
            "买了3公斤米，吃了1公斤，还剩多少公斤？"},
    Example{"Misspelt", "misspelling", "买了20个蓝球，每个60元，用了多少元？",
            "买了20个篮球，每个60元，用了多少元？"},
    Example{"ReadAlike", "misspelling", "教育家有 A.裴斯泰珞齐 B.杜威", "教育家有 A.裴斯泰洛齐 B.杜威"},
    Example{"NameThroughout", "renamed", "小红有5本书，又买了3本，小红现在有几本？",
            "小明有5本书，又买了3本，小明现在有几本？"},
    Example{"KinshipThroughout", "renamed", "叔叔买了3千克梨，每千克4元，叔叔付了多少元？",
            "阿姨买了3千克梨，每千克4元，阿姨付了多少元？"},
    Example{"ThingThroughout", "renamed", "有若干克浓度为30%的盐水，加水后盐水的浓度变为24%，盐水有多少克？",
            "有若干克浓度为30%的糖浆，加水后糖浆的浓度变为24%，糖浆有多少克？"},
    Example{"PlaceAtTheStart", "", "温州某厂每天生产零件76件，5天生产多少件？",
            "某厂每天生产零件76件，5天生产多少件？"},
    Example{"StoryToldLonger", "", "一本科技书有90页，还剩30页没有读，读了多少页？",
            "一本精彩的科技书有90页，还剩30页没有读，读了多少页？"},
    Example{"UnitKnownFromElsewhere", "", "每桶油重3千克，要倒出2千克，应剩下多少？",
            "每桶油重3千克，要倒出2千克，应剩下多少千克？"},
    Example{"MoneyByTwoNames", "synonym", "一支笔3元，买5支要多少元？", "一支笔3元，买5支要多少钱？"},
    Example{"EachAgainstRespectively", "", "甲店和乙店共有80袋米，甲店和乙店各有多少袋米？",
            "甲店和乙店共有80袋米，甲店和乙店分别有多少袋米？"},
    Example{"YearWritten", "filler", "从2013年到2015年产值由100万元增长到144万元，年增长率是多少？",
            "从2013年到2015产值由100万元增长到144万元，年增长率是多少？"},
    Example{"DiscountWritten", "filler", "一件衣服按0.8折出售得80元，原价是多少元？",
            "一件衣服按0.8出售得80元，原价是多少元？"},
    Example{"TwoAfterTheirNames", "", "甲、乙两人合作8天完成，每天做15个，一共做多少个？",
            "甲、乙两合作8天完成，每天做15个，一共做多少个？"},
    Example{"AverageAfterAName", "synonym", "李强平均每分钟打42个字，5分钟打多少个字？",
            "李强每分钟打42个字，5分钟打多少个字？"},
    Example{"ShorterWord", "", "一袋米重50千克，用去20千克，还剩多少千克？",
            "一袋米重50千克，用了20千克，还剩多少千克？"},
    Example{"FractionIsAsked", "renamed", "一种玩具由80元降到48元，降低了百分之几？",
            "一种零件由80元降到48元，降低了百分之几？"},
    Example{"Result", "", "一个数除以5，商是9，余数是3，这个数=？", "一个数除以5得9，余数是3，这个数=？"},
    Example{"DividedWith", "", "一个数除以7，商是3，这个数=？", "一个数用7除，商是3，这个数=？"},
    Example{"Factors", "filler", "两个因数的积是28，其中一个因数是7，另一个因数=？",
            "两个数的积是28，其中一个数是7，另一个数=？"},
    Example{"WhatIsNotDone", "", "一条路长4500米，已经修了24天，还剩多少米没有修？",
            "一条路长4500米，已经修了24天，还剩多少米？"},
    Example{"WhatIsNotReadInTheStory", "", "一本书每天看5页，看了9天，还剩25页没看，一共有多少页？",
            "一本书每天看5页，看了9天，还剩25页，一共有多少页？"},
    Example{"UnitByItsOtherName", "", "锯成4段要12分，锯成7段要多少分钟？", "锯成4段要12分，锯成7段要多少？"},
    Example{"WholeLength", "", "电线长6米，第一次用去全长的(1/2)，还剩多少米？",
            "电线长6米，第一次用去它的(1/2)，还剩多少米？"},
    Example{"WhatAChangeIsMeasuredBy", "", "每套原来要160元，现在要128元，比原来降低了百分之几？",
            "每套原来要160元，现在要128元，降低了百分之几？"},
    Example{"LengthIsSaid", "", "要修一条长1500米的公路，修了300米，还剩多少米？",
            "要修一条1500米的公路，修了300米，还剩多少米？"},
    Example{"WeightIsSaid", "", "一堆煤重20吨，用去(1/5)，还剩多少吨？",
            "一堆货物20吨，用去(1/5)，还剩多少吨？"},
    Example{"HourInShort", "", "客车3小时行246千米，每小时行多少千米？",
            "客车3时行246千米，每时行多少千米？"},
    Example{"HowLong", "renamed", "修路队修一条水渠，第一天修了3米，第二天修了4米，这条水渠有多长？",
            "修路队修一条公路，第一天修了3米，第二天修了4米，这条公路有多长？"},
    Example{"LargerByANumber", "synonym", "甲数是9，比乙数多2，乙数=？", "甲数是9，比乙数大2，乙数=？"},
    Example{"AfterAnAmount", "", "用去(3/4)后，还剩20米，一共多少米？", "用去(3/4)，还剩20米，一共多少米？"},
    Example{"VerbAlone", "", "3箱图书平均分给6个年级，每箱20本，每个年级分得多少本？",
            "3箱图书平均分给6个年级，每箱20本，每个年级分多少本？"},
    Example{"ShortNameOfWhatWasNamed", "", "修一条公路，修了40%，还剩180米没修，这条公路全长多少米？",
            "修一条公路，修了40%，还剩180米没修，这条路全长多少米？"},
    Example{"PointsToTheSame", "renamed", "某商店打折出售商品，按0.75折亏25元，按0.9折赚20元，该商品多少元？",
            "某种服装打折出售，按0.75折亏25元，按0.9折赚20元，该服装多少元？"},
    Example{"LabelThroughout", "", "某地年日照1200小时，乙地是它的(3/4)．乙地年日照多少小时？",
            "某地年日照1200小时，甲地是它的(3/4)．甲地年日照多少小时？"},
    Example{"CountedOffThroughout", "", "第一天看了10%，第二天看了(1/4)，还剩130页，共有多少页？",
            "第一周看了10%，第二周看了(1/4)，还剩130页，共有多少页？"},
    Example{"NameOfListedCharacters", "", "从东台到南京90千米，汽车从东台开出，行了35千米，还有多少千米？",
            "从扬州到南京90千米，汽车从扬州开出，行了35千米，还有多少千米？"},
    Example{"PersonWithAnOffice", "", "张老师说买了3本书，每本5元，张老师付多少元？",
            "年级组长李老师说买了3本书，每本5元，李老师付多少元？"},
    Example{"AskedInTurn", "", "共25道题，做对得4分，做错扣2分，得88分，他做对了多少道题，做错了多少道题？",
            "共25道题，做对得4分，做错扣2分，得88分，他做对、做错了多少道题？"},
    Example{"TowardsEachOther", "synonym",
            "甲乙两车从相距270千米的两地相向而行，3小时相遇，每小时共行多少千米？",
            "甲乙两车从相距270千米的两地相对开出，3小时相遇，每小时共行多少千米？"},
    Example{"UnitInLetters", "", "试验田长32m，宽20m，小道的宽应是多少米？",
            "试验田长32m，宽20m，小道的宽应是多少？"},
    Example{"IsOrMakesUp", "", "男生有25人，是女生的(5/7)，全班有多少人？",
            "男生有25人，占女生的(5/7)，全班有多少人？"},
    Example{"WordOfALongOption", "", "正确的是 A.文件的检索要先找到它所在目录的索引项 B.以上都对",
            "正确的是 A.文件的检索要先找到它所在目录的索引区 B.以上都对"}};

TEST(Contrast, WhatAsksForAnotherAnswerIsDoubtful) {
  expect_doubtful(
      {{"写一篇文章感谢老师，要求语句通顺，不少于600字", "写一篇文章感谢朋友，要求语句通顺，不少于600字"},
       {"正确的是 A.热量主要来自地面 B.气温随高度降低", "正确的是 A.热量来自地面 B.气温随高度降低"},
       {"过氧化钠与水反应生成什么？", "氧化钠与水反应生成什么？"},
       {"长江中下游平原有什么特点？", "长江下游平原有什么特点？"},
       {"电势能有什么特点？", "电势有什么特点？"},
       {"汉译英：他在操场上打篮球", "汉译英：他会在操场上打篮球"},
       {"甲队给乙队8人后两队相等，甲队有20人，乙队有多少人？",
        "甲队从乙队8人后两队相等，甲队有20人，乙队有多少人？"},
       {"小红的哥哥有36张邮票，平均每人有多少张？", "小红和哥哥有36张邮票，平均每人有多少张？"},
       {"正方体的棱长和是36厘米，体积是多少？", "正方体的棱长是36厘米，体积是多少？"},
       {"做一节长2米的圆柱形通风管，要多少铁皮？", "做一个长2米的圆柱形油桶，要多少铁皮？"},
       {"已知奇函数f(x)，当x>0时f(x)=2x，求f(-3)", "已知偶函数f(x)，当x>0时f(x)=2x，求f(-3)"},
       {"辛亥革命的含义是什么", "辛亥革命的意义是什么"}});
  for (const auto& [question, keeper] :
       {std::pair{"这一时期兴起的现实主义文学流派的主要代表人物是谁？ A.前者 B.后者",
                  "这一时期兴起的现实主义文学流派的代表人物是谁？ A.前者 B.后者"},
        {"一个长方形长8厘米，宽5厘米，它的周长和面积各是多少？",
         "一个长方形长8厘米，宽5厘米，它的周长与面积各是多少？"},
        {"两车同时从两地相向而行，速度为每小时50千米和60千米，3小时相遇，两地相距多少千米？",
         "两车分别从两地相向而行，速度为每小时50千米和60千米，3小时相遇，两地相距多少千米？"}}) {
    EXPECT_EQ(between(question, keeper).confidence, Confidence::safe) << question;
  }
}

TEST(Contrast, FindsHowPairsThatAreTheSameDiffer) {
  std::size_t safe = 0;
  for (const Example& example : same) {
    const Contrast result = between(example.question, example.keeper);
    safe += result.confidence == Confidence::safe ? 1 : 0;
    std::vector<std::string> found = kinds(result.harmless);
    std::ranges::move(kinds(result.reasons), std::back_inserter(found));
    if (!example.kind.empty()) {
      EXPECT_THAT(found, Contains(std::string(example.kind))) << example;
    }
  }
  EXPECT_GE(safe * 100, same.size() * 40) << safe << " of " << same.size();
}

class Identical : public testing::TestWithParam<Example> {};

TEST_P(Identical, SafeWithoutFindings) {
  const Contrast result = between(GetParam().question, GetParam().keeper);
  EXPECT_EQ(result.confidence, Confidence::safe);
  EXPECT_THAT(result.reasons, IsEmpty());
  EXPECT_THAT(result.harmless, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Contrast, Identical,
    testing::Values(Example{"Empty", "", "", ""}, Example{"Equal", "", "3加5等于几？", "3加5等于几？"},
                    Example{"Brackets", "", "(一个)数是5，它的2倍是几", "【一个】数是5，它的2倍是几"},
                    Example{"Blanks", "", "我国的首都是（　　）。", "我国的首都是____"},
                    Example{"FullWidth", "", "３加５等于几？", "3加5等于几?"},
                    Example{"Powers", "", "计算10^2-8^2的结果是（　）", "计算10²－8²的结果是____。"},
                    Example{"Subscripts", "", "2H₂+O₂=2H₂O", "2H₂＋O₂＝2H₂O"}),
    example_name);

TEST(Contrast, SaysWhereInBothTexts) {
  const std::string question = "果园里有梨树80棵，桃树比梨树少(1/4)，桃树有多少棵？";
  const std::string keeper = "请问：果园里有梨树80棵，桃树比梨树多(1/4)，桃树有多少棵？";
  const Contrast result = between(question, keeper);
  ASSERT_THAT(kinds(result.reasons), Contains("polarity:多/少"));
  EXPECT_EQ(at(question, result.reasons[0].question), "少");
  EXPECT_EQ(at(keeper, result.reasons[0].keeper), "多");
  ASSERT_THAT(kinds(result.harmless), ElementsAre("filler"));
  EXPECT_EQ(at(question, result.harmless[0].question), "");
  EXPECT_EQ(at(keeper, result.harmless[0].keeper), "请问");
}

TEST(Contrast, CountsCodePointsOfTheOriginalText) {
  const std::string question = "𠀀½，①阴极";
  const std::string keeper = "𠀀½，①阳极";
  const Contrast result = between(question, keeper);
  ASSERT_THAT(result.reasons, Not(IsEmpty()));
  EXPECT_EQ(result.reasons[0].question, (CodePointRange{4, 5}));
  EXPECT_EQ(result.reasons[0].keeper, (CodePointRange{4, 5}));
}

TEST(Contrast, DifferingAnswersAreDoubtful) {
  const Contrast result =
      contrast({"3加5等于几？", "8"}, {"3加5等于几？", "9"}, CharacterCounts(), words_alone);
  EXPECT_EQ(result.confidence, Confidence::doubtful);
  EXPECT_EQ(reasons_of(result).text(), "answer-differs");
}

TEST(Contrast, AnswersAreComparedInNormalForm) {
  const Contrast result =
      contrast({"3加5等于几？", "８ 个"}, {"3加5等于几？", "8个\n"}, CharacterCounts(), words_alone);
  EXPECT_EQ(result.confidence, Confidence::safe);
  EXPECT_THAT(kinds(result.harmless), ElementsAre("same-answer"));
  EXPECT_EQ(reasons_of(contrast({"3加5等于几？", "⒈5"}, {"3加5等于几？", "1.5"}, {}, words_alone)).text(),
            "answer-differs");
  for (const auto& [a, b] : {std::pair{"3 5", "35"}, {"2 3/4", "23/4"}, {"may be", "maybe"}, {"3 -5", "3-5"}})
    EXPECT_EQ(reasons_of(contrast({"3加5等于几？", a}, {"3加5等于几？", b}, {}, words_alone)).text(),
              "answer-differs");
}

TEST(Contrast, AnAnswerOfWhiteSpaceIsNone) {
  for (const std::string_view blank : {"", " \n", "\u3000"}) {
    EXPECT_EQ(contrast({"3加5等于几？", "8"}, {"3加5等于几？", blank}, {}, words_alone).confidence,
              Confidence::safe);
    EXPECT_FALSE(answers_differ({"3加5等于几？", blank}, {"3加5等于几？", "8"}));
  }
  EXPECT_TRUE(answers_differ({"3加5等于几？", "9"}, {"3加5等于几？", "8"}));
  EXPECT_FALSE(answers_differ({"3加5等于几？"}, {"3加5等于几？", "8"}));
}

TEST(Contrast, PausesInAnswersAreComparedWhereTheyAreAskedAbout) {
  for (const auto& [text, reason] : {std::pair{"朗读停顿正确的是哪一句，请你选出来", "answer-differs"},
                                     {"请你抄写这个句子，注意书写工整", ""}})
    EXPECT_EQ(reasons_of(contrast({text, "我 爱故乡"}, {text, "我爱 故乡"}, {}, words_alone)).text(), reason);
}

TEST(Contrast, EqualAnswersAloneDoNotMakeSafe) {
  const Contrast result = contrast({"梨树比桃树多3棵，桃树8棵，梨树几棵？", "5"},
                                   {"梨树比桃树少3棵，桃树8棵，梨树几棵？", "5"}, {}, words_alone);
  EXPECT_EQ(result.confidence, Confidence::doubtful);
}

TEST(Contrast, OneAnswerIsNotCompared) {
  EXPECT_THAT(contrast({"3加5等于几？", "8"}, {"3加5等于几？"}, {}, words_alone).harmless, IsEmpty());
}

TEST(Contrast, AuxiliariesMatterWhereNothingIsCalculated) {
  EXPECT_EQ(between("被告人必须到庭的是 A.公诉 B.自诉", "被告人应当到庭的是 A.公诉 B.自诉").confidence,
            Confidence::doubtful);
}

TEST(Contrast, QualifiersThatSayTheSameAreNoQuantity) {
  for (const auto& [a, b] : {std::pair{"都", "全"},
                             {"均", "都"},
                             {"全部", "都"},

                             {"必须", "一定"}}) {
    const std::string stem = "下列各项里面，";
    const std::string rest = "属于民事法律行为的是哪一项？请写出来";
    EXPECT_THAT(kinds(between(stem + a + rest, stem + b + rest).reasons), Not(Contains("quantity")))
        << a << b;
    EXPECT_THAT(kinds(between(stem + a + rest, stem + rest).reasons), Contains("quantity")) << a;
  }
  EXPECT_EQ(between("求平均数的方法有哪几种？请你写出来", "求均数的方法有哪几种？请你写出来").confidence,
            Confidence::safe);
}

TEST(Contrast, BeforeASignNoPairIsCounted) {
  for (const auto& [a, b] : {std::pair{"若不等式f(x)≥0对x∈R恒成立，则实数m的范围是什么",
                                       "若不等式f(x)≥0，x∈R恒成立，则实数m的范围是什么"},
                             {"写出2对3的比，并求出它的比值", "写出2与3的比，并求出它的比值"}}) {
    EXPECT_THAT(kinds(between(a, b).reasons), Not(Contains("number-word"))) << a;
  }
}

TEST(Contrast, AThingIsNotRenamedWhereNothingIsCalculated) {
  EXPECT_EQ(
      between("盐酸由胃的哪种细胞分泌？盐酸有何用？", "胃酶由胃的哪种细胞分泌？胃酶有何用？").confidence,
      Confidence::doubtful);
}

TEST(Contrast, RareCharactersWeighMoreOnceTheBankIsKnown) {
  const std::string question = "阅读本文以后，你认为作者通过描写故乡秋天山村景色想要告诉读者 A.思乡 B.爱国";
  const std::string keeper = "阅读本文以后，你认为作者通过描写故乡秋天山村社会景色想要告诉读者 A.思乡 B.爱国";
  CharacterCounts common;
  CharacterCounts rare;
  for (int i = 0; i < 1000; ++i) {
    common.add(i % 10 == 0 ? "其他" : "社会");
    rare.add("其他");
  }
  EXPECT_LT(contrast({question}, {keeper}, common, words_alone).risk,
            contrast({question}, {keeper}, rare, words_alone).risk);
}

TEST(Contrast, JoinsEachReasonOnce) {
  const Contrast result = between("下列不是酸的是 A.醋 B.盐 C.糖", "下列是酸的是 A.盐 B.醋 C.油");
  EXPECT_EQ(reasons_of(result).text(), "negation;asks-else;options-reordered;option-differs");
}

// Texts of the words that contrast() looks for, put together at random.
std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string_view> words = {
      "的",     "多", "少", "不",   "小红",  "小明", "3", "千米", "米", "三",      "一个",
      "A.",     "B.", "C.", "多少", "，",    "。",   "①", "苹果", "和", "、",      "比",
      "张老师", "½",  "x²", "一共", "(1/3)", "?",    " ", "篮",   "蓝", "\xF0\x9F"};
  std::string text;
  std::uniform_int_distribution<std::size_t> length(0, 30);
  std::uniform_int_distribution<std::size_t> word(0, words.size() - 1);
  for (std::size_t i = length(random); i > 0; --i) text += words[word(random)];
  return text;
}

Contrast exchanged(Contrast contrast) {
  const auto exchange = [](Finding& finding) { std::swap(finding.question, finding.keeper); };
  std::ranges::for_each(contrast.reasons, exchange);
  std::ranges::for_each(contrast.harmless, exchange);
  return contrast;
}

TEST(Contrast, RandomTextsGiveRangesWithinThemAndNoOrderMatters) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 3000; ++i) {
    const std::string a = random_text(random);
    const std::string b = random_text(random);
    const Contrast result = between(a, b);
    EXPECT_EQ(exchanged(result), between(b, a)) << a << " / " << b;
    EXPECT_EQ(result.confidence == Confidence::safe, result.reasons.empty());
    const std::size_t a_size = to_utf32(a).size();
    const std::size_t b_size = to_utf32(b).size();
    for (const auto& findings : {result.reasons, result.harmless}) {
      EXPECT_THAT(findings, Each(testing::Truly([&](const Finding& finding) {
                    return finding.question.begin <= finding.question.end && finding.question.end <= a_size &&
                           finding.keeper.begin <= finding.keeper.end && finding.keeper.end <= b_size;
                  })));
    }
    EXPECT_EQ(between(a, a).confidence, Confidence::safe) << a;
  }
}

TEST(Contrast, OfLongTextsThatDifferIsDoubtfulAtOnce) {
  std::string question;
  while (question.size() < 30'000) question += "小红给小明";
  const std::string keeper = "小明给小红" + question.substr(std::string_view("小红给小明").size());
  const Contrast result = contrast({question}, {keeper}, CharacterCounts(), ContrastSettings());
  EXPECT_EQ(reasons_of(result).text(), "too-long");
  EXPECT_EQ(contrast({question}, {question}, CharacterCounts(), ContrastSettings()).confidence,
            Confidence::safe);
}

TEST(Contrast, NoLengthAndNoFillersOutweighAGraveDifference) {
  std::string story = "果园里有梨树80棵，";
  while (story.size() < 9'000) story += "农民伯伯每天给果树浇水施肥，";
  for (const auto& [x, y] : {std::pair("多", "少"), std::pair("不去", "去"), std::pair("占两成", "占三成")}) {
    const std::string question = story + "桃树比梨树" + x + "(1/4)，请问桃树有多少棵？";
    const std::string keeper = story + "桃树的比梨树的" + y + "(1/4)，桃树有多少棵？";
    const Contrast result = contrast({question}, {keeper}, CharacterCounts(), words_alone);
    EXPECT_EQ(result.confidence, Confidence::doubtful);
    EXPECT_GE(result.risk, Risk(5000));
  }
}

// Words that are read alike, or mostly mean the same, where both texts have both.
TEST(Contrast, WordsThatATextTellsApartAreNoVariants) {
  expect_doubtful(
      {{"鹿和鹭一共有12只，鹿比鹭多4只，鹿有多少只？", "鹿和鹭一共有12只，鹿比鹭多4只，鹭有多少只？"},
       {"池塘里有鹅30只，蛾40只，鹅比蛾少几分之几", "池塘里有蛾30只，鹅40只，鹅比蛾少几分之几"},
       {"小兰和小蓝一共30本，小兰比小蓝多4本，小兰有多少本？",
        "小兰和小蓝一共30本，小兰比小蓝多4本，小蓝有多少本？"},
       {"后梁和后凉是两个政权，后梁的建立者是谁", "后梁和后凉是两个政权，后凉的建立者是谁"},
       {"占用资金与使用资金各100万元，求使用资金的利息是多少元",
        "占用资金与使用资金各100万元，求占用资金的利息是多少元"},
       {"电动车每小时行30千米，电动自行车每小时行20千米，电动车2小时行多少千米",
        "电动车每小时行30千米，电动自行车每小时行20千米，电动自行车2小时行多少千米"},
       {"增长率是3%，年平均增长率是4%，按增长率计算明年的产量是多少吨",
        "增长率是3%，年平均增长率是4%，按年平均增长率计算明年的产量是多少吨"},
       {"月利率3%和年利率4%，按利率计算一年后的利息是多少元",
        "月利率3%和年利率4%，按年利率计算一年后的利息是多少元"}});
}

// Found by an adversary: what is asked for, of whom, in which unit, of what, and how it is written.
TEST(Contrast, AnotherQuestionBesideHarmlessEditsIsDoubtful) {
  expect_doubtful(
      {{"一个平行四边形的底是12厘米，高是8厘米，它的面积是多少平方米？",
        "一个平行四边形底是12厘米，高是8厘米，它面积是多少平方厘米？"},
       {"王叔叔把5000元存入银行，月利率是2.25%，存期2年，到期时利息是多少元？",
        "王叔叔把5000元存入银行，年利率为2.25%，存期2年，到期时利息为多少元？"},
       {"一艘船顺水航行3小时行60千米，水流速度是每小时4千米，求船在静水中的速度。",
        "一艘船逆水航行3小时行60千米，水流速度是每小时4千米，请求出船在静水中速度。"},
       {"现在的产量比原来提高到60%，原来每天做50个，现在每天做多少个？",
        "现在产量比原来提高了60%，原来每天做50个，现在每天作几个。"},
       {"爷爷今年72岁，爸爸的年龄是爷爷的(1/2)，小明的年龄是爸爸的(1/6)，小明今年多少岁？",
        "爷爷今年72岁，爸爸年龄是爷爷的(1/2)，小明的年龄是爷爷的(1/6)，小明今年几岁。"},
       {"小丽有15个苹果，小华有9个苹果，小丽给小华多少个，两人的苹果就一样多？",
        "小丽有15个苹果，小华有9个苹果，小华给小丽多少个，两人的苹果就一样多？那么"},
       {"把10克盐放入100克水中，盐和盐水的质量比是多少？", "把10克盐放入100克水中，盐和水的质量比是多少？"},
       {"小明有32张邮票，小红的邮票比小明多8张，小红有多少张邮票？",
        "小明有32张邮票，小红的邮票比小明多8张，两人共有多少张邮票？"},
       {"已知正比例函数的图象过点(2,4)，求这个正比例函数的解析式。",
        "已知反比例函数的图象过点(2,4)，求这个反比例函数的解析式。"},
       {"下列说法正确的是 A．原子是由原子核和核外电子构成的 B．分子是保持物质化学性质的最小粒子",
        "下列叙述正确的是 A．离子是由原子核和核外电子构成的 B．分子是保持物质化学性质的最小粒子"},
       {"5．（15分）某市坚持绿色发展理念，关停了一批高污染、高能耗的企业，同时出台优惠政策，大力引进高新技术"
        "企业。运用矛盾的观点，分析材料中的做法是什么。",
        "5．（15分）某市坚持绿色发展理念，关停了一批高污染、高能耗的企业，同时出台优惠政策，大力引进高新技术"
        "企业。运用联系的观点，分析材料中的做法是什么。"}});
}

// However many harmless edits stand beside them.
TEST(Contrast, OppositesInOptionsThatAreOtherwiseUnlikeAreGrave) {
  const std::string keeper = "下列关于该反应特点的判断恰当并且理解错误的是 A.不变 B.消失 C.向左移动 D.上升";
  const std::string question =
      "下列关于该反应特征的判定妥当并且理解不正确的是 A.不变 B.消失 C.向左移动 D.下降";
  EXPECT_EQ(between(question, keeper).confidence, Confidence::doubtful);
}

TEST(Contrast, AnotherQuantityThatIsAskedForIsGrave) {
  EXPECT_EQ(
      between(
          "某商店购买一批产品，每件产品的原价比进价多25元，原价和进价共是185元，求这种产品的进价是多少钱？",
          "某商店购进一批商品，每件商品的原价比进价多25元，原价和进价一共是185元，求这种商品的原价是多少元？")
          .confidence,
      Confidence::doubtful);
  const std::string keeper = "某超市运来一批苹果，售出(1/4)后又运来80箱，请问这批苹果的原价一共是多少元？";
  const std::string question = "某商场运来一批苹果，卖出(1/4)后又运来80箱，这批苹果的进价总共是多少元？";
  const Contrast result = contrast({question}, {keeper}, CharacterCounts(), words_alone);
  EXPECT_EQ(result.confidence, Confidence::doubtful) << reasons_of(result).text();
  EXPECT_GE(result.risk, Risk(5000)) << reasons_of(result).text();
}

// Other words for the same request, other places and names, and what goes without saying.
TEST(Contrast, CalculationsThatAskTheSameAreSafe) {
  for (const auto& [question, keeper] :
       {std::pair{"学校买来50米水管，用去20米，还剩多少米没有用？",
                  "学校买来50米水管，用去20米，还剩多少米？"},
        {"温州某商店有苹果300千克，卖出(1/3)，卖出多少千克？",
         "东坡某商店有苹果300千克，卖出(1/3)，卖出多少千克？"},
        {"做一个底面直径20厘米、长50厘米的烟囱，至少要铁皮多少平方厘米？",
         "做一个底面直径20厘米、长50厘米的烟囱，至少要多少平方厘米铁皮？"},
        {"一批货物有300吨，运走(1/4)，运走多少吨？", "一批货物有300吨，运走(1/4)，运走多少？"},
        {"练习本每本3元，铅笔每枝2元，求练习本的单价和铅笔的单价各是多少元",
         "练习本每本3元，铅笔每枝2元，求出练习本的单价和铅笔的单价各是多少元"},
        {"连州某商店有苹果300千克，卖出(1/3)，卖出多少千克？",
         "应用一元一次方程解答问题：苏州某商店有苹果300千克，卖出(1/3)，卖出多少千克？"},
        {"某件衣服的成本是100元，按成本提高40%标价，标价是多少元？",
         "某件衣服的成本价是100元，按成本价提高40%标价，标价是多少元？"},
        {"用去8米，剩下4米，一共有多少米？", "用去8米，剩4米，一共有多少米？"},
        {"每天节约用煤8千克，15天节约用煤多少千克？", "每天节省用煤8千克，15天节省用煤多少千克？"},
        {"抽查50件，有2件不合格，合格率是百分之几？", "抽查50件，有2件不合格，合格率是多少？"},
        {"两人同时同地反向跑，400秒后相遇，跑道长多少米？（用两种方法解答）",
         "两人同时同地反向跑，400秒后相遇，跑道长多少米？"},
        {"万福超市每天卖出30件，每件50元，每天卖多少元？", "商场每天卖出30件，每件50元，每天卖多少元？"}}) {
    EXPECT_EQ(between(question, keeper).confidence, Confidence::safe) << question;
  }
}

// One word of a calculation that changes its answer.
TEST(Contrast, OneWordThatChangesACalculationIsGrave) {
  for (const auto& [question, keeper] :
       {std::pair{"用了长10米的管子8根，长12米的管子9根，一共用了多少米管子？",
                  "用了长10米的管子8根，长12米的管子9根，一共用了多少根管子？"},
        {"把4升油装满5个油壶，平均每个油壶装多少？", "把4升油装满5个油壶，平均每个油壶装多少毫升？"},
        {"白布有15米，花布比白布多(1/3)，花布有多少米？",
         "白布有15米，花布比白布多(1/3)，花布比白布多多少米？"},
        {"煤有220吨，运走(1/5)，还剩多少吨？", "煤有220吨，运走(1/5)，还剩几分之几？"},
        {"某店的利润提高10%，原来是20元，现在是多少元？", "某店的利润率提高10%，原来是20元，现在是多少元？"},
        {"今年产量是40千克，去年是30千克，求今年的产量",
         "今年产量是40千克，去年是30千克，求今年的产量的增长率"},
        {"每件降价1元多卖2件，降价多少元时赢利1200元？",
         "每件降价1元多卖2件，要让顾客得到实惠，降价多少元时赢利1200元？"},
        {"36名同学去参观，票价216元，每名同学多少元？", "36名同学去参观，票价每人216元，每名同学多少元？"},
        {"篮球有60个，篮球比足球多(1/4)，足球有多少个？", "篮球有60个，足球比篮球多(1/4)，足球有多少个？"},
        {"红花48朵，黄花比红花的2倍少6朵，做了多少朵黄花？",
         "红花48朵，黄花比红花的2倍少6朵，一共做了多少朵？"},
        {"船每小时行20千米，水流每小时2千米，从甲港顺流到乙港要几小时？",
         "船每小时行20千米，水流每小时2千米，从甲港顺流到乙港再返回要几小时？"},
        {"糖果每人分5颗多3颗，每人分6颗少4颗，一共有多少颗糖果？",
         "糖果每人分5颗多3颗，每人分6颗少4颗，一共有多少个人？"},
        {"1条环形路长42千米，两人同时同地同向出发，几小时首次相遇？",
         "1条环形路长42千米，两人同时同地反方向出发，几小时首次相遇？"},
        {"剩下的煤没有受潮的占3成，有5吨，受潮的有多少吨？", "剩下的煤受潮的占3成，有5吨，受潮的有多少吨？"},
        {"剩下的人中有5人不会游泳，会游泳的有多少人？", "剩下的人中有5人会游泳，会游泳的有多少人？"},
        {"甲从某地出发每小时行5千米，乙每小时行4千米，甲先行多少小时",
         "乙从某地出发每小时行5千米，乙每小时行4千米，甲先行多少小时"},
        {"男比某班女生多5人，女生有20人，男生有多少人？", "女比某班女生多5人，女生有20人，男生有多少人？"},
        {"树上有鸦5只，树9棵，诗中鸦有多少只？", "树上有鸦5只，树9棵，求诗中鸦的只数和树的棵数"},
        {"一条裤子55元，一件上衣是一条裤子的3倍，买一套要多少元？",
         "一条裤子55元，一件上衣比一条裤子多3倍，买一套要多少元？"},
        {"绳子长12米，第一次用去1/3，第二次用去1/4，还剩多少米？",
         "绳子长12米，第一次用去1/3，第二次用去余下的1/4，还剩多少米？"},
        {"烟囱长50厘米，底面直径是20厘米，要铁皮多少平方厘米？",
         "烟囱长50厘米，底面周长是20厘米，要铁皮多少平方厘米？"},
        {"火车长200米，从车头上桥到车尾离桥要走多少米？", "火车长200米，从车尾上桥到车头离桥要走多少米？"},
        {"售价每件60元，要使每天的利润达到60元，降价多少元？",
         "售价每件60元，要使每天的收入达到60元，降价多少元？"},
        {"每人分3本则剩余20本，有9人，共有多少本？", "每人分3本则缺少20本，有9人，共有多少本？"},
        {"去年有300多万人，增加10%，今年有多少人？", "去年有300多亿人，增加10%，今年有多少人？"},
        {"节约用电后，一年的电可多用2个月，平均每月用电多少千瓦时？",
         "节约用电后，一年的电可多用2个月，平均每月节约用电多少千瓦时？"},
        {"加工240个零件，用第一种方法每小时做20个，用第二种方法每小时做30个，用第一种方法，要做多少小时？",
         "加工240个零件，用第一种方法每小时做20个，用第二种方法每小时做30个，用第二种方法，要做多少小时？"},
        {"乙队的效率是甲队的合格率的百分之几？甲队做50个，合格48个",
         "乙队的效率是甲队的合格率的多少？甲队做50个，合格48个"},
        {"学校有A班、B班、C班、D班，花布有15米，白布有9米，花布比白布多多少米？",
         "学校有A班、B班、C班、D班，花布有15米，白布有9米，花布有多少米？"},
        {"水桶高30厘米，底面半径10厘米，做这个水桶要铁皮多少平方厘米？",
         "水桶高30厘米，底面半径10厘米，做一对这样的水桶要铁皮多少平方厘米？"}}) {
    EXPECT_GE(between(question, keeper).risk, Risk(5000)) << question;
  }
}

// 比热容 of the question and of each option: no slip of the pen.
TEST(Contrast, AWordThatIsReplacedThroughoutIsGrave) {
  EXPECT_GE(between("比热容是指 A.单位质量的比热容 B.单位体积的比热容",
                    "比电阻是指 A.单位质量的比电阻 B.单位体积的比电阻")
                .risk,
            Risk(5000));
}

TEST(Contrast, WithoutOptionsAnotherThingIsGrave) {
  for (const auto& [question, keeper] :
       {std::pair{"论十大关系提出了长期共存、共同监督的方针", "论十大关系提出了长期共存、互相监督的方针"},
        {"哺乳动物的体温是恒定的，不随环境温度的变化而变化。（ ）",
         "动物的体温是恒定的，不随环境温度的变化而变化。（ ）"},
        {"判断：气旋中心气压低，多为阴雨天气。（ ）", "判断：反气旋中心气压低，多为阴雨天气。（ ）"},
        {"输血前护士应做好哪些工作？", "输血时护士应做好哪些工作？"}}) {
    EXPECT_GE(between(question, keeper).risk, Risk(5000)) << question;
  }
}

TEST(Contrast, ASlipOfRecognitionIsAMisspelling) {
  EXPECT_THAT(kinds(between("大肠杆菌的菌落是 A.圆的 B.方的", "大肠杆䒩的菌落是 A.圆的 B.方的").harmless),
              ElementsAre("misspelling"));
}

TEST(Contrast, WhatPassesAPossessiveStaysWhereItIs) {
  EXPECT_THAT(kinds(between("最早的人类遗址位于 A.云南 B.陕西", "最早人类的遗址位于 A.云南 B.陕西").harmless),
              Each("filler"));
}

TEST(Contrast, ASingleCharacterIsNamedElsewhereWithItsNeighbour) {
  const auto reasons = [](std::string_view question, std::string_view keeper) {
    return kinds(between(question, keeper).reasons);
  };
  EXPECT_THAT(reasons("动物灭绝的原因是 A.病毒 B.毒性 C.公害", "动物灭绝的原因是 A.病害 B.毒性 C.公害"),
              ElementsAre("option-differs"));
  EXPECT_THAT(reasons("氧气和氢气 A.氧气助燃 B.都不溶于水", "氧气和氢气 A.氢气助燃 B.都不溶于水"),
              Contains("renamed-part"));
}

TEST(Contrast, HowNotToSolveItIsNoInstruction) {
  expect_doubtful(
      {{"用方程解答，3个苹果9元，1个苹果多少元？", "不能用方程解答，3个苹果9元，1个苹果多少元？"}});
}

// Between words that both texts have; a comma that comes with a clause says nothing.
TEST(Contrast, OtherPunctuationShowsThatTheSourcesDiffer) {
  const std::string keeper = "中国第一座核电站位于浙江省，它的名称是什么？";
  const std::string question = "中国首座核电站位于浙江省，它的名称是什么？";
  const std::string punctuated = "中国首座核电站位于浙江省。它的名称是什么";
  EXPECT_LT(between(punctuated, keeper).risk, between(question, keeper).risk);
  EXPECT_EQ(between("两人每分钟走70米和50米，同向而行，相遇时走了多少米？",
                    "两人每分钟走70米和50米，相遇时走了多少米？")
                .confidence,
            Confidence::doubtful);
}

TEST(Contrast, SeesMarksThatTheDuplicateTestDrops) {
  const std::string keeper = "已知函数f(x)的导函数满足下列条件，求f'(1)的值是多少";
  const std::string question = "已知函数f(x)的导函数满足下列条件，求f(1)的值是多少";
  const Contrast result = contrast({question}, {keeper}, CharacterCounts(), ContrastSettings());
  EXPECT_EQ(reasons_of(result).text(), "notation");
}

}  // namespace
}  // namespace qdedup::refine
