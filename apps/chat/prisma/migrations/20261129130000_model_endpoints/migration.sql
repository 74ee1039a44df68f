-- CreateTable
CREATE TABLE "model_endpoints" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "url" TEXT,
    "models" JSONB NOT NULL,
    "sealed" BYTEA,
    "wrapped_key" BYTEA,
    "master_key_version" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_settings" (
    "team_id" TEXT NOT NULL,
    "default_model" TEXT,

    CONSTRAINT "model_settings_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE INDEX "model_endpoints_team_id_name_idx" ON "model_endpoints"("team_id", "name");

-- CreateIndex
CREATE INDEX "model_endpoints_master_key_version_idx" ON "model_endpoints"("master_key_version");
