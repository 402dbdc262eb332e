"""What a disk may hold when the power fails: programs' calls as preload/disk.cc notes them, and what can come of them."""

import copy
import dataclasses
import fcntl
import pathlib
import struct

from fault import program

CREATE, WRITE, RESIZE, RENAME, UNLINK, SYNC, SYNC_FOLDER, MARK = range(1, 9)
HEADER = struct.Struct("<IIQQQ")
SECTOR = 512


@dataclasses.dataclass
class Note:
    what: int
    name: str
    inode: int
    offset: int
    data: bytes


class Recorder:
    """Has programs note what they do to a folder."""

    def __init__(self, folder, trace):
        self.folder = pathlib.Path(folder)
        self.trace = pathlib.Path(trace)
        self.given = Disk(self.folder)
        library = pathlib.Path(program.QDEDUP).with_name("fault_disk.so")
        self.environment = {"LD_PRELOAD": str(library), "FAULT_DISK": str(folder), "FAULT_DISK_TRACE": str(trace)}

    def disk(self):
        """As it was before anything was noted."""
        return copy.deepcopy(self.given)

    def mark(self):
        """From here on, what was done before has been acknowledged."""
        with open(self.trace, "ab", buffering=0) as trace:
            fcntl.flock(trace, fcntl.LOCK_EX)
            trace.write(HEADER.pack(MARK, 0, 0, 0, 0))

    def notes(self):
        content = self.trace.read_bytes()
        position = 0
        while position < len(content):
            what, name_bytes, inode, offset, data_bytes = HEADER.unpack_from(content, position)
            position += HEADER.size + name_bytes
            name = content[position - name_bytes:position].decode()
            position += data_bytes
            yield Note(what, name, inode, offset, content[position - data_bytes:position])


class File:
    """What is certainly on the disk, and what was done to it since."""

    def __init__(self, content=b""):
        self.synced = content
        self.pending = []

    def sync(self):
        self.synced = self.content(self.pending)
        self.pending = []

    def content(self, notes):
        content = bytearray(self.synced)
        for note in notes:
            if note.what == RESIZE:
                del content[note.offset:]
                content.extend(bytes(note.offset - len(content)))
            else:
                content.extend(bytes(max(0, note.offset - len(content))))
                content[note.offset:note.offset + len(note.data)] = note.data
        return bytes(content)

    def after_a_loss(self, chance):
        """All of what is pending, nothing of it, some of it in any order, or some sectors of it."""
        how = chance.choice(("dropped", "kept", "some", "torn", "first"))
        if how == "dropped":
            return self.synced
        if how == "some":
            return self.content([note for note in self.pending if chance.random() < 0.5])
        if how == "first":
            return self.content(self.pending[:chance.randrange(len(self.pending) + 1)])
        if how == "torn":
            return self.content([sector for note in self.pending for sector in sectors(note) if chance.random() < 0.5])
        return self.content(self.pending)


def sectors(note):
    """What a write does to each sector."""
    if note.what == RESIZE:
        return [note]
    parts = []
    begin = 0
    while begin < len(note.data):
        end = min(len(note.data), begin + SECTOR - (note.offset + begin) % SECTOR)
        parts.append(dataclasses.replace(note, offset=note.offset + begin, data=note.data[begin:end]))
        begin = end
    return parts


class Disk:
    """A folder on it, without folders in it."""

    def __init__(self, folder):
        self.files = []
        self.of_inode = {}
        self.names = {}    # the synced ones, to numbers of files
        self.renaming = []  # what was done to names since
        self.marks = 0
        for path in sorted(folder.iterdir()):
            self.of_inode[path.stat().st_ino] = self.names[path.name] = len(self.files)
            self.files.append(File(path.read_bytes()))

    def do(self, note):
        name = pathlib.PurePath(note.name).name
        if note.what == MARK:
            self.marks += 1
        elif note.what == CREATE:
            self.of_inode[note.inode] = len(self.files)
            self.files.append(File())
            self.renaming.append((CREATE, name, self.of_inode[note.inode]))
        elif note.what == RENAME:
            self.renaming.append((RENAME, name, pathlib.PurePath(note.data.decode()).name))
        elif note.what == UNLINK:
            self.renaming.append((UNLINK, name, None))
        elif note.what == SYNC_FOLDER:
            self.names = self.names_after(self.renaming)
            self.renaming = []
        elif note.what == SYNC:
            self.files[self.of_inode[note.inode]].sync()
        else:
            self.files[self.of_inode[note.inode]].pending.append(note)

    def names_after(self, renaming):
        names = dict(self.names)
        for what, name, other in renaming:
            if what == CREATE:
                names[name] = other
            elif name in names:
                file = names.pop(name)
                if what == RENAME:
                    names[other] = file
        return names

    def whole(self):
        """The folder when no power fails: content by name."""
        return {name: self.files[file].content(self.files[file].pending)
                for name, file in self.names_after(self.renaming).items()}

    def after_a_loss(self, chance):
        """One of the folders that may be found when the power is back: names in their order, contents in any."""
        names = self.names_after(self.renaming[:chance.randrange(len(self.renaming) + 1)])
        return {name: self.files[file].after_a_loss(chance) for name, file in names.items()}

    def bare(self):
        """The folder when nothing is there but what was synced."""
        return {name: self.files[file].synced for name, file in self.names.items()}


def put(folder, files):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
