"""``python -m tests.contract.peer RELEASE``: the real proxy for an experiment by hand, until Ctrl-C."""

from __future__ import annotations

import json
import sys
import threading

from tests.contract.peer import prerequisites
from tests.contract.peer.installation import default_cache, install
from tests.contract.peer.postgres import Postgres
from tests.contract.peer.process import PeerError, PrerequisiteError
from tests.contract.peer.proxy import running
from tests.contract.peer.releases import RELEASES

USAGE = f"usage: python -m tests.contract.peer {{{'|'.join(release.name for release in RELEASES)}}} [public-details]"


def main(arguments: list[str]) -> None:
    by_name = {release.name: release for release in RELEASES}
    if not arguments or arguments[0] not in by_name or arguments[1:] not in ([], ["public-details"]):
        sys.exit(USAGE)
    release, public_details = by_name[arguments[0]], len(arguments) > 1
    postgres = Postgres(prerequisites.require().postgres)
    try:
        postgres.start()
        with running(install(release, default_cache()), postgres, public_details=public_details) as proxy:
            facts = {"version": release.version, "base_url": proxy.base_url, "keys": proxy.keys}
            sys.stdout.write(json.dumps(facts, indent=2) + "\n")
            sys.stdout.flush()
            threading.Event().wait()
    finally:
        postgres.remove()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (PrerequisiteError, PeerError) as error:
        sys.exit(f"peer: {error}")
    except KeyboardInterrupt:
        sys.exit(0)
