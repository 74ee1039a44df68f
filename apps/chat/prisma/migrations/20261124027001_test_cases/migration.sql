-- CreateEnum
CREATE TYPE "test_run_status" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "test_outcome" AS ENUM ('passed', 'failed', 'error');

-- CreateTable
CREATE TABLE "test_cases" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "collections" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "expects_refusal" BOOLEAN NOT NULL DEFAULT false,
    "documents" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "texts" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "user_email" TEXT,
    "message_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_cases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "test_runs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "status" "test_run_status" NOT NULL DEFAULT 'queued',
    "scheduled" BOOLEAN NOT NULL DEFAULT false,
    "total" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "holder" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "test_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "test_results" (
    "run_id" TEXT NOT NULL,
    "case_id" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "outcome" "test_outcome" NOT NULL,
    "regression" BOOLEAN NOT NULL DEFAULT false,
    "failures" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "refused" BOOLEAN NOT NULL DEFAULT false,
    "rank" INTEGER,
    "confidence" JSONB,
    "took_ms" INTEGER NOT NULL,
    "usage" JSONB,
    "content" TEXT NOT NULL DEFAULT '',
    "sources" JSONB NOT NULL DEFAULT '[]',
    "documents" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "test_results_pkey" PRIMARY KEY ("run_id","case_id")
);

-- CreateTable
CREATE TABLE "test_schedules" (
    "team_id" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "weekday" INTEGER,
    "time" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3),

    CONSTRAINT "test_schedules_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE INDEX "test_cases_team_id_created_at_idx" ON "test_cases"("team_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "test_cases_team_id_message_id_key" ON "test_cases"("team_id", "message_id");

-- CreateIndex
CREATE INDEX "test_runs_team_id_created_at_idx" ON "test_runs"("team_id", "created_at");

-- A team has at most one active run. Prisma cannot declare this index.
CREATE UNIQUE INDEX "test_runs_active_key" ON "test_runs"("team_id") WHERE "status" IN ('queued', 'running');

-- CreateIndex
CREATE INDEX "test_results_case_id_created_at_idx" ON "test_results"("case_id", "created_at");

-- CreateIndex
CREATE INDEX "test_schedules_next_at_idx" ON "test_schedules"("next_at");

-- AddForeignKey
ALTER TABLE "test_results" ADD CONSTRAINT "test_results_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "test_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
