-- CreateTable
CREATE TABLE "schedules" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "owner_email" TEXT,
    "name" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "targets" JSONB NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "paused_reason" TEXT,
    "paused_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_runs" (
    "id" TEXT NOT NULL,
    "schedule_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "slot_at" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "run_id" TEXT,
    "conversation_id" TEXT,
    "message_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "holder" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedule_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_deliveries" (
    "run_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "target" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "holder" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedule_deliveries_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateIndex
CREATE INDEX "schedules_next_at_idx" ON "schedules"("next_at");

-- CreateIndex
CREATE INDEX "schedules_team_id_idx" ON "schedules"("team_id");

-- CreateIndex
CREATE INDEX "schedules_agent_id_created_at_id_idx" ON "schedules"("agent_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "schedule_runs_schedule_id_created_at_id_idx" ON "schedule_runs"("schedule_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "schedule_runs_schedule_id_slot_at_key" ON "schedule_runs"("schedule_id", "slot_at");

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_deliveries" ADD CONSTRAINT "schedule_deliveries_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "schedule_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN "schedule_id" TEXT;

-- A schedule never runs twice at the same time.
CREATE UNIQUE INDEX "schedule_runs_open_key" ON "schedule_runs"("schedule_id") WHERE "status" IN ('queued', 'running');

CREATE INDEX "schedule_runs_due_idx" ON "schedule_runs"("due_at") WHERE "status" IN ('queued', 'running');

CREATE INDEX "schedule_deliveries_due_idx" ON "schedule_deliveries"("next_attempt_at") WHERE "status" = 'pending';
