-- A group counts as its connector's newest reading has it, and the newest reading of all connectors wins (docs/adr/0019).
ALTER TABLE "groups" ADD COLUMN "read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();
ALTER TABLE "groups" ADD COLUMN "is_gone" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "group_readings" (
    "connector_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "completed_generation" TEXT,
    "completed_at" TIMESTAMPTZ(6),
    "open_generation" TEXT,
    "opened_at" TIMESTAMPTZ(6),
    "failing_since" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "group_readings_pkey" PRIMARY KEY ("connector_id")
);

-- CreateTable
CREATE TABLE "group_parts" (
    "connector_id" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "members" TEXT[],

    CONSTRAINT "group_parts_pkey" PRIMARY KEY ("connector_id","principal")
);

-- CreateIndex
CREATE INDEX "groups_team_id_principal_idx" ON "groups"("team_id", "principal");

-- Groups of deleted collections have no connector that reads them again.
DELETE FROM "groups" WHERE "connector_id" IN (
    SELECT d."connector_id" FROM "documents" d JOIN "collections" c ON c."id" = d."collection_id"
    WHERE d."connector_id" IS NOT NULL AND c."deleted_at" IS NOT NULL
);

-- A reading that was cut short left groups of two generations: the newest one, which sorts last, is what the connector read last.
INSERT INTO "group_readings" ("connector_id", "team_id", "completed_generation", "completed_at")
SELECT "connector_id", min("team_id"), max("generation"), now() FROM "groups" GROUP BY "connector_id";
