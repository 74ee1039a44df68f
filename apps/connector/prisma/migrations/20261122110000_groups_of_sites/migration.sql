-- Groups of these sources are named with their site from now on: who may read the documents is read anew (docs/adr/0014).
UPDATE "sync_states" SET "permissions_due" = true
FROM "connectors" WHERE "connectors"."id" = "sync_states"."connector_id" AND "connectors"."type" IN ('confluence', 'slack', 'github');
