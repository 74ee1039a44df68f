-- CreateTable
CREATE TABLE "usage_days" (
    "team_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "subject" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "cost" BIGINT NOT NULL,
    "durations" BIGINT[],

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("team_id","day","subject","model")
);

-- CreateTable
CREATE TABLE "model_prices" (
    "team_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input" BIGINT NOT NULL,
    "output" BIGINT NOT NULL,

    CONSTRAINT "model_prices_pkey" PRIMARY KEY ("team_id","model")
);

-- CreateTable
CREATE TABLE "budgets" (
    "team_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "soft_tokens" BIGINT,
    "hard_tokens" BIGINT,
    "soft_cost" BIGINT,
    "hard_cost" BIGINT,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("team_id","subject")
);

-- CreateTable
CREATE TABLE "budget_use" (
    "subject" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "team_id" TEXT NOT NULL,
    "tokens" BIGINT NOT NULL DEFAULT 0,
    "cost" BIGINT NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),

    CONSTRAINT "budget_use_pkey" PRIMARY KEY ("subject","month")
);

-- CreateTable
CREATE TABLE "budget_reservations" (
    "id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "tokens" BIGINT NOT NULL,
    "cost" BIGINT NOT NULL,
    "reply_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "usage_days_day_idx" ON "usage_days"("day");

-- CreateIndex
CREATE INDEX "budget_use_month_idx" ON "budget_use"("month");

-- CreateIndex
CREATE UNIQUE INDEX "budget_reservations_reply_id_key" ON "budget_reservations"("reply_id");

-- CreateIndex
CREATE INDEX "budget_reservations_subject_month_idx" ON "budget_reservations"("subject", "month");

-- CreateIndex
CREATE INDEX "budget_reservations_expires_at_idx" ON "budget_reservations"("expires_at");

-- CreateTable
CREATE TABLE "retention" (
    "team_id" TEXT NOT NULL,
    "audit" INTEGER,
    "events" INTEGER,
    "usage" INTEGER,

    CONSTRAINT "retention_pkey" PRIMARY KEY ("team_id")
);
