-- AlterTable: what was indexed until now was analysed by the rules before the first that count.
ALTER TABLE "documents" ADD COLUMN "indexed_analysis" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "documents_indexed_analysis_id_idx" ON "documents"("indexed_analysis", "id");
