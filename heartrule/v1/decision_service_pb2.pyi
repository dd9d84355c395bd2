from heartrule.v1 import decision_request_pb2 as _decision_request_pb2
from heartrule.v1 import workflow_pb2 as _workflow_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
