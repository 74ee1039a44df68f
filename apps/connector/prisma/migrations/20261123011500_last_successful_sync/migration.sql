-- `last_sync` was set by failed and cancelled syncs as well. It now means the last sync that succeeded.
UPDATE "connectors" SET "last_sync" = (
  SELECT max("sync_jobs"."completed_at") FROM "sync_jobs"
  WHERE "sync_jobs"."connector_id" = "connectors"."id" AND "sync_jobs"."kind" = 'sync'
    AND "sync_jobs"."status" IN ('completed', 'completed_with_errors')
) WHERE "last_sync" IS NOT NULL;
