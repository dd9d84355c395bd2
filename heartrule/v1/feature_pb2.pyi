from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Feature(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FEATURE_UNSPECIFIED: _ClassVar[Feature]
    FEATURE_FORM: _ClassVar[Feature]
    FEATURE_PICTURE: _ClassVar[Feature]
    FEATURE_AUDIO: _ClassVar[Feature]
    FEATURE_APPROVAL: _ClassVar[Feature]
    FEATURE_HANDOVER: _ClassVar[Feature]
    FEATURE_QUICK_REPLIES: _ClassVar[Feature]
FEATURE_UNSPECIFIED: Feature
FEATURE_FORM: Feature
FEATURE_PICTURE: Feature
FEATURE_AUDIO: Feature
FEATURE_APPROVAL: Feature
FEATURE_HANDOVER: Feature
FEATURE_QUICK_REPLIES: Feature
