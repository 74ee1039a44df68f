-- CreateTable
CREATE TABLE "usage_hours" (
    "team_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "durations" BIGINT[],

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("team_id","hour","kind")
);

-- CreateIndex
CREATE INDEX "usage_hours_hour_idx" ON "usage_hours"("hour");
