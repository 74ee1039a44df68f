"""Creates and lists a collection with the client that openapi-python-client generated."""

import os

from lectern_client import AuthenticatedClient
from lectern_client.api.collections import create_collection, list_collections
from lectern_client.models import CreateCollectionRequest

client = AuthenticatedClient(base_url=os.environ["LECTERN_URL"], token=os.environ["LECTERN_KEY"])
created = create_collection.sync_detailed(client=client, body=CreateCollectionRequest(name="Contract"))
if created.status_code != 201:
    raise SystemExit(f"The generated client could not create a collection (HTTP {created.status_code}).")
listed = list_collections.sync_detailed(client=client)
if created.parsed.data.id not in [collection.id for collection in listed.parsed.data]:
    raise SystemExit("The list of the generated client does not contain the new collection.")
