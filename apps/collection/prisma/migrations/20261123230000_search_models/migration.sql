-- CreateTable
CREATE TABLE "search_model_downloads" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "total_bytes" BIGINT NOT NULL DEFAULT 0,
    "error" TEXT,
    "passages_per_second" DOUBLE PRECISION,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "search_model_downloads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_search_models" (
    "team_id" TEXT NOT NULL,
    "active_id" TEXT NOT NULL DEFAULT 'default',
    "wanted_id" TEXT,
    "previous_id" TEXT,
    "error" TEXT,

    CONSTRAINT "team_search_models_pkey" PRIMARY KEY ("team_id")
);
