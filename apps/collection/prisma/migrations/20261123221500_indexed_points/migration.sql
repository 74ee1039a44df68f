-- AlterTable: what was indexed until now has the form before the first that counts.
ALTER TABLE "documents" ADD COLUMN "indexed_points" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "documents_indexed_points_id_idx" ON "documents"("indexed_points", "id");
