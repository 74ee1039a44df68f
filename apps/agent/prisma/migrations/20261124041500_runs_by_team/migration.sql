-- CreateIndex
CREATE INDEX "runs_team_id_started_at_idx" ON "runs"("team_id", "started_at");
