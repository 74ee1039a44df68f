-- CreateTable
CREATE TABLE "tool_servers" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "key_id" TEXT,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "document_url" TEXT,
    "document" TEXT,
    "auth" JSONB NOT NULL,
    "sealed" BYTEA,
    "wrapped_key" BYTEA,
    "master_key_version" INTEGER,
    "notes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "refreshed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_servers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "server_tools" (
    "server_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "agent_name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "input_schema" JSONB NOT NULL,
    "operation" JSONB,
    "read_only_hint" BOOLEAN,
    "version" TEXT NOT NULL,
    "confirmed_version" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "changes" BOOLEAN NOT NULL,
    "problem" TEXT,
    "listed" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "server_tools_pkey" PRIMARY KEY ("server_id","name")
);

-- CreateTable
CREATE TABLE "approvals" (
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "params" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "decided_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "called_at" TIMESTAMPTZ(3),

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tool_servers_team_id_slug_key" ON "tool_servers"("team_id", "slug");

-- CreateIndex
CREATE INDEX "tool_servers_master_key_version_idx" ON "tool_servers"("master_key_version");

-- CreateIndex
CREATE UNIQUE INDEX "server_tools_team_id_agent_name_key" ON "server_tools"("team_id", "agent_name");

-- CreateIndex
CREATE INDEX "approvals_run_id_created_at_idx" ON "approvals"("run_id", "created_at");

-- CreateIndex
CREATE INDEX "approvals_status_expires_at_idx" ON "approvals"("status", "expires_at");

-- AddForeignKey
ALTER TABLE "server_tools" ADD CONSTRAINT "server_tools_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "tool_servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
