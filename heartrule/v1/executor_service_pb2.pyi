from heartrule.v1 import asset_pb2 as _asset_pb2
from heartrule.v1 import conversation_pb2 as _conversation_pb2
from heartrule.v1 import erasure_pb2 as _erasure_pb2
from heartrule.v1 import going_back_pb2 as _going_back_pb2
from heartrule.v1 import history_pb2 as _history_pb2
from heartrule.v1 import outline_pb2 as _outline_pb2
from heartrule.v1 import plan_edit_pb2 as _plan_edit_pb2
from heartrule.v1 import script_pb2 as _script_pb2
from heartrule.v1 import session_pb2 as _session_pb2
from heartrule.v1 import strategy_pb2 as _strategy_pb2
from heartrule.v1 import timeline_pb2 as _timeline_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
