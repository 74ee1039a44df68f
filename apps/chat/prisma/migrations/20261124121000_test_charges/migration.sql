-- CreateEnum
CREATE TYPE "test_charge_state" AS ENUM ('requested', 'granted', 'refused', 'ended');

-- AlterTable
ALTER TABLE "test_runs" ADD COLUMN     "over_budget" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "subject" TEXT;

-- AlterTable
ALTER TABLE "test_schedules" ADD COLUMN     "subject" TEXT;

-- CreateTable
CREATE TABLE "test_charges" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "state" "test_charge_state" NOT NULL DEFAULT 'requested',
    "reason" TEXT,
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "written" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "test_charges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "test_charges_state_created_at_idx" ON "test_charges"("state", "created_at");
