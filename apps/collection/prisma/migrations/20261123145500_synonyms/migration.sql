-- CreateTable
CREATE TABLE "synonyms" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "collection_id" TEXT,
    "input" TEXT[],
    "terms" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "synonyms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "synonym_settings" (
    "team_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "disabled_packs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "disabled_rules" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "synonym_settings_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE INDEX "synonyms_team_id_id_idx" ON "synonyms"("team_id", "id" DESC);

-- CreateIndex
CREATE INDEX "synonyms_collection_id_idx" ON "synonyms"("collection_id");
