-- CreateTable
CREATE TABLE "search_rules" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "collection_id" TEXT,
    "query" TEXT NOT NULL,
    "match" TEXT NOT NULL,
    "pins" JSONB NOT NULL,
    "hidden" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "search_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_rule_versions" (
    "team_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,

    CONSTRAINT "search_rule_versions_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE INDEX "search_rules_team_id_id_idx" ON "search_rules"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "search_rules_collection_id_idx" ON "search_rules"("collection_id");
