"""The schemas of a running registry.

The address selects one of two APIs: Apicurio's own (…/apis/registry/v2 or v3), which has global
ids and content ids, and Confluent's, which Confluent's registry, Karapace, Redpanda and Apicurio
(…/apis/ccompat/v7) provide.
Source: Confluent Schema Registry API reference; Apicurio Registry's OpenAPI documents; a registry
of 3.0.9 asked.
"""

from collections.abc import Iterator
from urllib.parse import quote

import requests

from afterimage.errors import UserError
from afterimage.schemas.entry import Entry, Passed, entry, why_not

PAGE = 500
SECONDS = 30


def entries_of_registry(
    url: str, ids: str | None = None, passed: list[Passed] | None = None
) -> Iterator[Entry]:
    """Every version of every Avro schema in the registry, also deleted ones if it shows them.

    In: the address of its API; `globalId` (default) or `contentId`, for Apicurio's own API; a list
    that receives the versions that are not Avro or refer to others.
    Errors: UserError when it does not answer, or answers something else.
    """
    url = url.rstrip("/")
    passed = [] if passed is None else passed
    own = next((v for v in ("v2", "v3") if url.endswith(f"/apis/registry/{v}")), None)
    if own is None and ids:
        raise UserError(
            "--ids is for Apicurio's own API (…/apis/registry/v2 or v3); a Confluent API has only "
            "one kind of id"
        )
    with requests.Session() as session:
        session.headers["Accept"] = "application/vnd.schemaregistry.v1+json, application/json"
        if own is None:
            yield from _confluent(session, url, passed)
        else:
            yield from _apicurio(session, url, own, ids or "globalId", passed)


def _confluent(session: requests.Session, url: str, passed: list[Passed]) -> Iterator[Entry]:
    for subject in _json(session, url, "/subjects", deleted="true"):
        path = f"/subjects/{quote(subject, safe='')}/versions"
        for version in _json(session, url, path, deleted="true"):
            found = _json(session, url, f"{path}/{version}", deleted="true")
            if why := why_not(found.get("schemaType"), found.get("references")):
                passed.append(Passed(subject, why))
                continue
            yield entry(url, found["id"], subject, version, found["schema"])


def _apicurio(
    session: requests.Session, url: str, api: str, ids: str, passed: list[Passed]
) -> Iterator[Entry]:
    for version in _versions(session, url, api):
        kind = version.get("artifactType") or version.get("type")
        subject, number = version["artifactId"], version["version"]
        if why := why_not(kind, version.get("references")):
            passed.append(Passed(subject, why))
            continue
        text = _get(session, url, f"/ids/globalIds/{version['globalId']}").text
        yield entry(url, version[ids], subject, number, text)


def _versions(session: requests.Session, url: str, api: str) -> Iterator[dict]:
    if api == "v3":
        yield from _pages(session, url, "/search/versions", "versions")
        return
    for artifact in _pages(session, url, "/search/artifacts", "artifacts"):
        group = quote(artifact.get("groupId") or "default", safe="")
        path = f"/groups/{group}/artifacts/{quote(artifact['id'], safe='')}/versions"
        for version in _pages(session, url, path, "versions"):
            yield {"artifactId": artifact["id"], **version}


def _pages(session: requests.Session, url: str, path: str, name: str) -> Iterator[dict]:
    seen = 0
    while True:
        page = _json(session, url, path, limit=PAGE, offset=seen)
        yield from page[name]
        seen += len(page[name])
        if not page[name] or seen >= page["count"]:
            return


def _json(session: requests.Session, url: str, path: str, **query):
    answer = _get(session, url, path, **query)
    try:
        return answer.json()
    except requests.JSONDecodeError:
        raise UserError(
            f"{url}{path} does not answer with JSON: is it the address of the API?"
        ) from None


def _get(session: requests.Session, url: str, path: str, **query) -> requests.Response:
    try:
        answer = session.get(f"{url}{path}", params=query, timeout=SECONDS)
    except requests.RequestException as error:
        raise UserError(f"{url} does not answer: {error}") from error
    if not answer.ok:
        raise UserError(f"{url}{path} answers {answer.status_code} {answer.reason}")
    return answer
