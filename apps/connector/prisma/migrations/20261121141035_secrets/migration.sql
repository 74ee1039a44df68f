-- AlterEnum
ALTER TYPE "file_status" ADD VALUE 'deleted';

-- CreateTable
CREATE TABLE "connector_secrets" (
    "connector_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connector_secrets_pkey" PRIMARY KEY ("connector_id")
);

-- CreateTable
CREATE TABLE "oauth_states" (
    "state_hash" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "redirect_uri" TEXT,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateIndex
CREATE INDEX "connector_secrets_master_key_version_idx" ON "connector_secrets"("master_key_version");

-- CreateIndex
CREATE INDEX "oauth_states_expires_at_idx" ON "oauth_states"("expires_at");

-- CreateIndex
CREATE INDEX "oauth_states_connector_id_idx" ON "oauth_states"("connector_id");

-- AddForeignKey
ALTER TABLE "connector_secrets" ADD CONSTRAINT "connector_secrets_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_states" ADD CONSTRAINT "oauth_states_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
