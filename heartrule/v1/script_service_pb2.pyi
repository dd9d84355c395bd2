from heartrule.v1 import figures_pb2 as _figures_pb2
from heartrule.v1 import outline_pb2 as _outline_pb2
from heartrule.v1 import script_pb2 as _script_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
