from heartrule.v1 import erasure_pb2 as _erasure_pb2
from heartrule.v1 import fork_and_retry_pb2 as _fork_and_retry_pb2
from heartrule.v1 import plan_edit_pb2 as _plan_edit_pb2
from heartrule.v1 import session_pb2 as _session_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
