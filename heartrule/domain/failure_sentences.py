"""What people read of a model that gave no answer: its cause and the remedy, in two languages.

The table is keyed by cause, so that a catalogue can take its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.model_failure import ModelFailureCause as Cause

LANGUAGES = ("en", "zh-CN")
# By cause and language: what happened, and what to do.
SENTENCES: Mapping[Cause, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        Cause.NO_KEY: {
            "en": (
                "{provider} asks for a key, and none is set",
                (
                    "set OPENAI_API_KEY, or the variable that the providers file names, and start "
                    "again"
                ),
            ),
            "zh-CN": (
                "{provider} 需要密钥，但没有设置",
                "请设置 OPENAI_API_KEY（或服务商文件里写的变量）后重新启动",
            ),
        },
        Cause.KEY_REJECTED: {
            "en": (
                "{provider} does not take the key",
                (
                    "correct OPENAI_API_KEY, or the variable that the providers file names, and "
                    "start again"
                ),
            ),
            "zh-CN": (
                "{provider} 不接受这个密钥",
                "请改正 OPENAI_API_KEY（或服务商文件里写的变量）后重新启动",
            ),
        },
        Cause.UNKNOWN_MODEL: {
            "en": (
                "{provider} has no such model, or not for this key",
                "correct HEARTRULE_MODEL or the providers file, and start again",
            ),
            "zh-CN": (
                "{provider} 没有这个模型，或这个密钥不能用它",
                "请改正 HEARTRULE_MODEL 或服务商文件后重新启动",
            ),
        },
        Cause.WRONG_ADDRESS: {
            "en": (
                "nothing at the address of {provider} answers chat completions",
                "correct the base URL, which mostly ends in /v1, and start again",
            ),
            "zh-CN": (
                "{provider} 的地址上没有对话接口",
                "请改正 base URL（多以 /v1 结尾）后重新启动",
            ),
        },
        Cause.QUOTA: {
            "en": (
                "the account at {provider} is used up",
                "add credit there, and try again",
            ),
            "zh-CN": (
                "{provider} 的账户额度已用完",
                "请充值后重试",
            ),
        },
        Cause.RATE_LIMITED: {
            "en": (
                "{provider} is asked too often",
                "wait a moment, and try again",
            ),
            "zh-CN": (
                "对 {provider} 的请求过于频繁",
                "请稍候重试",
            ),
        },
        Cause.CONTENT: {
            "en": (
                "{provider} refuses what the prompt says, by rules of its own",
                "word it in another way, or use another provider",
            ),
            "zh-CN": (
                "{provider} 按它自己的规则拒绝了这段内容",
                "请换一种说法，或换一个服务商",
            ),
        },
        Cause.PROMPT_TOO_LONG: {
            "en": (
                "the conversation is longer than the model of {provider} takes",
                "write something shorter, or use a model with a longer context",
            ),
            "zh-CN": (
                "对话超过了 {provider} 的模型能读的长度",
                "请写短一些，或换一个上下文更长的模型",
            ),
        },
        Cause.REQUEST_REFUSED: {
            "en": (
                "{provider} does not take the request",
                "check the model's name and the parameters in the providers file, and start again",
            ),
            "zh-CN": (
                "{provider} 不接受这个请求",
                "请检查模型名和服务商文件里的参数后重新启动",
            ),
        },
        Cause.SERVER_ERROR: {
            "en": (
                "{provider} reports a failure of its own",
                "try again later",
            ),
            "zh-CN": (
                "{provider} 报告自身出错",
                "请稍后重试",
            ),
        },
        Cause.CONNECTION_REFUSED: {
            "en": (
                "nothing listens at the address of {provider}",
                "start the server there, or correct the base URL, and try again",
            ),
            "zh-CN": (
                "{provider} 的地址上没有服务（连接被拒绝）",
                "请启动那里的服务或改正 base URL 后重试",
            ),
        },
        Cause.DNS: {
            "en": (
                "the name in the address of {provider} cannot be found",
                "check the base URL and the network, and try again",
            ),
            "zh-CN": (
                "找不到 {provider} 地址中的域名",
                "请检查 base URL 和网络后重试",
            ),
        },
        Cause.TLS: {
            "en": (
                "no trusted connection to {provider} can be made",
                (
                    "check the certificate, https or http in the base URL, and the clock, and try "
                    "again"
                ),
            ),
            "zh-CN": (
                "无法与 {provider} 建立可信的连接（TLS）",
                "请检查证书、base URL 的 https/http 和系统时间后重试",
            ),
        },
        Cause.CONNECTION_LOST: {
            "en": (
                "the connection to {provider} broke",
                "check the network, and try again",
            ),
            "zh-CN": (
                "与 {provider} 的连接中断",
                "请检查网络后重试",
            ),
        },
        Cause.TIMED_OUT: {
            "en": (
                "{provider} did not answer in time",
                (
                    "check the network and the base URL, or allow more time with "
                    "HEARTRULE_REPLY_TIMEOUT, and try again"
                ),
            ),
            "zh-CN": (
                "{provider} 没有及时应答",
                "请检查网络和 base URL，或用 HEARTRULE_REPLY_TIMEOUT 放宽时限后重试",
            ),
        },
        Cause.STALLED: {
            "en": (
                "{provider} began to answer and then fell silent",
                "try again, or allow more time with HEARTRULE_REPLY_TIMEOUT",
            ),
            "zh-CN": (
                "{provider} 开始应答后没有了下文",
                "请重试，或用 HEARTRULE_REPLY_TIMEOUT 放宽时限",
            ),
        },
        Cause.EMPTY: {
            "en": (
                "{provider} sent an answer without a word",
                "try again, or use another model",
            ),
            "zh-CN": (
                "{provider} 的应答是空的",
                "请重试，或换一个模型",
            ),
        },
        Cause.CUT: {
            "en": (
                "the answer of {provider} broke off",
                "try again",
            ),
            "zh-CN": (
                "{provider} 的应答中途断开",
                "请重试",
            ),
        },
        Cause.UNREADABLE: {
            "en": (
                "{provider} sent something that is no answer of a model, such as a web page",
                "correct the base URL, which mostly ends in /v1, and try again",
            ),
            "zh-CN": (
                "{provider} 发来的不是模型的应答（例如一个网页）",
                "请改正 base URL（多以 /v1 结尾）后重试",
            ),
        },
    }
)
_FORMS = MappingProxyType({
    "en": ("{what}{facts}; {remedy}.", " ({})", ", ", "the model's provider", "“{}”"),
    "zh-CN": ("{what}{facts}；{remedy}。", "（{}）", "，", "模型服务商", "“{}”"),
})  # fmt: skip


def failure_sentence(metadata: Mapping[str, str], language: str = "en") -> str:
    """Return what a failure's metadata tells, as one sentence; empty where it has no cause.

    A fact for operators alone is in it only if it is in the metadata.

    Args:
        metadata: Of a problem, as `ModelFailureDetails.metadata` has it.
        language: One of `LANGUAGES`.
    """
    try:
        cause = Cause(metadata.get("cause", ""))
    except ValueError:
        return ""
    form, brackets, comma, somebody, quotes = _FORMS[language]
    what, remedy = SENTENCES[cause][language]
    status, said = metadata.get("status"), metadata.get("provider_message")
    known = (
        metadata.get("base_url"),
        metadata.get("model"),
        f"HTTP {status}" if status else "",
        metadata.get("provider_code"),
        quotes.format(said) if said else "",
    )
    facts = comma.join(fact for fact in known if fact)
    provider = metadata.get("provider") or somebody
    sentence = form.format(
        what=what.format(provider=provider),
        facts=brackets.format(facts) if facts else "",
        remedy=remedy,
    )
    return sentence[:1].upper() + sentence[1:] if provider == somebody else sentence
