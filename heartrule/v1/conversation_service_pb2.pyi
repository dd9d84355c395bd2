from heartrule.v1 import conversation_pb2 as _conversation_pb2
from heartrule.v1 import session_pb2 as _session_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
