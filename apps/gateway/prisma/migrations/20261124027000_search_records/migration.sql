-- CreateTable
CREATE TABLE "search_records" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "narrowed" BOOLEAN NOT NULL,
    "collections" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "visitor" TEXT,
    "clicked_ranks" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "search_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_salts" (
    "day" DATE NOT NULL,
    "salt" BYTEA NOT NULL,

    CONSTRAINT "search_salts_pkey" PRIMARY KEY ("day")
);

-- CreateIndex
CREATE INDEX "search_records_team_id_created_at_idx" ON "search_records"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "search_records_created_at_idx" ON "search_records"("created_at");
