-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "memory" TEXT NOT NULL DEFAULT 'recall';

-- CreateTable
CREATE TABLE "runs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "key_id" TEXT,
    "user_email" TEXT,
    "conversation_id" TEXT,
    "status" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "model" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL DEFAULT 0,
    "completion_tokens" INTEGER NOT NULL DEFAULT 0,
    "limit" TEXT,
    "error" JSONB,
    "memories" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),
    "alive_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancel_asked_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_steps" (
    "run_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "thought" TEXT NOT NULL DEFAULT '',
    "calls" JSONB NOT NULL DEFAULT '[]',
    "prompt_tokens" INTEGER NOT NULL DEFAULT 0,
    "completion_tokens" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateIndex
CREATE INDEX "runs_agent_id_started_at_id_idx" ON "runs"("agent_id", "started_at" DESC, "id");

-- CreateIndex
CREATE INDEX "runs_status_alive_at_idx" ON "runs"("status", "alive_at");

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
