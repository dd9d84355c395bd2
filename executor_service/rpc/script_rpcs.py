"""The rpcs about scripts: check, publish, read, list, and a script as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from executor_service.ports import WorkPool
from executor_service.rehearsed import Rehearsals
from executor_service.rpc.asset_rpcs import new_asset
from executor_service.rpc.requests import Context, listed, page_of, refused
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import (
    Bundle,
    asset_findings,
    completed,
    hashes_of,
    make_bundle,
    own_pictures,
)
from executor_service.scripts.model.findings import Located, invalid_script
from executor_service.scripts.offloaded import CheckedScript, check
from executor_service.scripts.outline import outline
from heartrule.domain.figures import NO_PRICES, Prices
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.replacement import ActionReplacement
from heartrule.v1 import figures_pb2, outline_pb2, script_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, require
from heartrule.words.language import ReaderLanguage, language_asked
from session_store.ports import Store
from session_store.records import ScriptRecord


class ScriptRpcs:
    """The rpcs of ScriptService."""

    def __init__(
        self,
        store: Store,
        environment: LintEnvironment,
        check_pool: WorkPool,
        rehearsals: Rehearsals,
        *,
        prices: Prices = NO_PRICES,
    ) -> None:
        """Check against `environment`, keep in `store`; what takes long is left to `check_pool`."""
        self._store = store
        self._environment = environment
        self._check_pool = check_pool
        self._rehearsals = rehearsals
        self._prices = prices

    async def CheckScript(  # noqa: N802  the contract's name
        self, request: script_pb2.CheckScriptRequest, context: Context
    ) -> script_pb2.CheckScriptResponse:
        """Return every finding of a bundle; nothing is stored."""
        bundle, checked, findings = await self._check(request.bundle)
        language = language_asked(context.invocation_metadata())
        response = script_pb2.CheckScriptResponse()
        response.findings.extend(_wire_findings(findings, language))
        if checked.script_id:
            response.script_id = checked.script_id
            response.version = bundle.version
        return response

    async def RehearseScript(  # noqa: N802
        self, request: script_pb2.RehearseScriptRequest, context: Context
    ) -> script_pb2.RehearseScriptResponse:
        """Play the conversations beside a script, without a model; nothing is stored.

        Raises:
            InvalidRequest: One that is asked for is not there, or there are too many.
        """
        done = await self._rehearsals.play(_bundle(request.bundle), request.paths)
        language = language_asked(context.invocation_metadata())
        response = script_pb2.RehearseScriptResponse()
        response.findings.extend(_wire_findings(done.errors, language))
        for each in done.conversations:
            told = response.conversations.add(path=each.path, title=each.title, turns=each.turns)
            told.findings.extend(_wire_findings(each.findings, language))
        return response

    async def PublishScript(  # noqa: N802
        self, request: script_pb2.PublishScriptRequest, context: Context
    ) -> script_pb2.PublishScriptResponse:
        """Store a bundle under the hash of its content as the newest; a trial beside the others.

        Techniques of this installation that it uses are stored with it, and count for its version.

        Raises:
            InvalidScript: It has errors; each with its place.
        """
        allow(request_id=request.request_id)
        bundle, checked, findings = await self._check(request.bundle)
        language = language_asked(context.invocation_metadata())
        if any(found.is_error for found in findings):
            raise invalid_script(findings, language=language)
        await self._keep_pictures(bundle)
        record = await self._store.save_script(_record(bundle, checked), trial=request.trial)
        response = script_pb2.PublishScriptResponse()
        _fill_script(record, response.script)
        response.findings.extend(_wire_findings(findings, language))
        return response

    async def GetScript(  # noqa: N802
        self, request: script_pb2.GetScriptRequest, _context: Context
    ) -> script_pb2.GetScriptResponse:
        """Return a version, or the newest, with its files where asked."""
        require(script_id=request.script_id)
        record = await self._store.load_script(DEFAULT_TENANT, request.script_id, request.version)
        response = script_pb2.GetScriptResponse()
        _fill_script(record, response.script)
        if request.with_files:
            _fill_bundle(record, response.bundle)
        return response

    async def ListScripts(  # noqa: N802
        self, request: script_pb2.ListScriptsRequest, _context: Context
    ) -> script_pb2.ListScriptsResponse:
        """Return the newest version of each script."""
        found = await self._store.list_scripts(DEFAULT_TENANT, page_of(request))
        return listed(script_pb2.ListScriptsResponse, found, _fill_script)

    async def ListScriptVersions(  # noqa: N802
        self, request: script_pb2.ListScriptVersionsRequest, _context: Context
    ) -> script_pb2.ListScriptVersionsResponse:
        """Return the versions of one script, newest first."""
        require(script_id=request.script_id)
        found = await self._store.list_script_versions(
            DEFAULT_TENANT, request.script_id, page_of(request)
        )
        return listed(script_pb2.ListScriptVersionsResponse, found, _fill_script)

    async def GetScriptOutline(  # noqa: N802
        self, request: outline_pb2.GetScriptOutlineRequest, _context: Context
    ) -> outline_pb2.GetScriptOutlineResponse:
        """Return the tree of a version, or of a session with its own replacements.

        Raises:
            InvalidRequest: Not exactly one of script and session is named.
            NotFound: There is no such script, version or session.
        """
        allow(script_id=request.script_id, session_id=request.session_id)
        if bool(request.script_id) == bool(request.session_id):
            raise refused("script_id", "name either script_id or session_id")
        replacements: tuple[ActionReplacement, ...] = ()
        if request.session_id:
            session = await self._store.get_session(SessionKey(DEFAULT_TENANT, request.session_id))
            record = await self._store.load_script(
                DEFAULT_TENANT, session.script_id, session.script_version
            )
            replacements = session.replacements
        else:
            record = await self._store.load_script(
                DEFAULT_TENANT, request.script_id, request.script_version
            )
        made = await self._check_pool.run(outline, dict(record.files), record.main, replacements)
        response = outline_pb2.GetScriptOutlineResponse()
        response.outline.MergeFromString(made)
        response.outline.script_id = record.script_id
        response.outline.script_version = record.version
        return response

    async def GetScriptFigures(  # noqa: N802
        self, request: figures_pb2.GetScriptFiguresRequest, _context: Context
    ) -> figures_pb2.GetScriptFiguresResponse:
        """Return how the sessions of a version went, in numbers."""
        require(script_id=request.script_id)
        found = await self._store.script_figures(
            DEFAULT_TENANT, request.script_id, request.script_version
        )
        response = figures_pb2.GetScriptFiguresResponse()
        fill_message(self._prices.priced(found), response.figures)
        return response

    async def _check(
        self, wire: script_pb2.ScriptBundle
    ) -> tuple[Bundle, CheckedScript, tuple[Located, ...]]:
        """Return the bundle, what its script is called, and the findings in both."""
        bundle, environment = _bundle(wire), self._environment
        if bundle.assets:
            environment = replace(environment, assets=frozenset(bundle.assets))
        checked = await self._check_pool.run(check, dict(bundle.files), bundle.main, environment)
        named = set(bundle.assets.values())
        uploaded = await self._store.find_assets(DEFAULT_TENANT, named) if named else {}
        findings = (*checked.findings, *asset_findings(bundle, uploaded))
        return completed(bundle, checked.added), checked, findings

    async def _keep_pictures(self, bundle: Bundle) -> None:
        """Store the pictures of the bundle, so that messages may name them by hash."""
        for data in own_pictures(bundle.files).values():
            await self._store.save_asset(new_asset(data))


def _bundle(wire: script_pb2.ScriptBundle) -> Bundle:
    return make_bundle(dict(wire.files), main=wire.main_path or None, assets=dict(wire.assets))


def _record(bundle: Bundle, checked: CheckedScript) -> ScriptRecord:
    return ScriptRecord(
        tenant=DEFAULT_TENANT,
        script_id=checked.script_id,
        version=bundle.version,
        main=bundle.main,
        files=bundle.files,
        session_name=checked.session_name,
        assets=hashes_of(bundle),
    )


def _fill_script(record: ScriptRecord, target: script_pb2.Script) -> None:
    target.script_id = record.script_id
    target.version = record.version
    target.session_name = record.session_name
    target.main_path = record.main
    target.number = record.number
    target.paths.extend(sorted({*record.files, *record.assets}))
    if record.create_time is not None:
        target.create_time.FromDatetime(record.create_time)


def _fill_bundle(record: ScriptRecord, target: script_pb2.ScriptBundle) -> None:
    """Fill the files; a picture among them is listed once, as a file."""
    target.main_path = record.main
    for path, content in record.files.items():
        target.files[path] = content
    for path, sha256 in record.assets.items():
        if path not in record.files:
            target.assets[path] = sha256


def _wire_findings(
    findings: Iterable[Located], language: ReaderLanguage
) -> Iterator[script_pb2.ScriptFinding]:
    for found in (each.told(language) for each in findings):
        yield script_pb2.ScriptFinding(
            file=found.file,
            line=found.line,
            column=found.column,
            message=found.message,
            severity=f"FINDING_SEVERITY_{found.severity.name}",
            rule=found.rule.value,
        )
