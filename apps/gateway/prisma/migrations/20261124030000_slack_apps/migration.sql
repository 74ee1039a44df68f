-- CreateEnum
CREATE TYPE "slack_transport" AS ENUM ('http', 'socket');

-- CreateEnum
CREATE TYPE "slack_app_status" AS ENUM ('active', 'failed');

-- CreateEnum
CREATE TYPE "slack_event_state" AS ENUM ('pending', 'done', 'failed');

-- CreateTable
CREATE TABLE "slack_apps" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "workspace_name" TEXT NOT NULL,
    "bot_user_id" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "transport" "slack_transport" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "collections" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "agent_id" TEXT,
    "channels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "status" "slack_app_status" NOT NULL DEFAULT 'active',
    "status_reason" TEXT,
    "socket_holder" TEXT,
    "socket_locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "slack_apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "slack_events" (
    "app_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "state" "slack_event_state" NOT NULL DEFAULT 'pending',
    "task" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "holder" TEXT,
    "locked_until" TIMESTAMPTZ(3),
    "progress" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "slack_events_pkey" PRIMARY KEY ("app_id", "key")
);

-- CreateTable
CREATE TABLE "slack_threads" (
    "app_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "thread" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "last_message_id" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "slack_threads_pkey" PRIMARY KEY ("app_id", "channel", "thread", "person_id")
);

-- CreateIndex
CREATE INDEX "slack_apps_team_id_created_at_idx" ON "slack_apps"("team_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "slack_apps_workspace_id_bot_user_id_key" ON "slack_apps"("workspace_id", "bot_user_id");

-- CreateIndex
CREATE INDEX "slack_events_state_due_at_idx" ON "slack_events"("state", "due_at");

-- CreateIndex
CREATE INDEX "slack_events_created_at_idx" ON "slack_events"("created_at");

-- CreateIndex
CREATE INDEX "slack_threads_updated_at_idx" ON "slack_threads"("updated_at");

-- AddForeignKey
ALTER TABLE "slack_apps" ADD CONSTRAINT "slack_apps_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slack_events" ADD CONSTRAINT "slack_events_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "slack_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slack_threads" ADD CONSTRAINT "slack_threads_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "slack_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slack_threads" ADD CONSTRAINT "slack_threads_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;
