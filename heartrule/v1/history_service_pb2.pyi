from heartrule.v1 import history_pb2 as _history_pb2
from heartrule.v1 import session_pb2 as _session_pb2
from heartrule.v1 import strategy_pb2 as _strategy_pb2
from heartrule.v1 import timeline_pb2 as _timeline_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
