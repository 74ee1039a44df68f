-- AlterTable: empty until the document is analyzed by rules that record its languages.
ALTER TABLE "documents" ADD COLUMN "languages" TEXT[] NOT NULL DEFAULT '{}';

-- AlterTable: the languages of existing collections are unknown until all of their documents have been analyzed again.
ALTER TABLE "collections" ADD COLUMN "languages" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "languages_known" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "languages_stale" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "collections" ALTER COLUMN "languages_known" SET DEFAULT true,
  ALTER COLUMN "languages_stale" SET DEFAULT false;

-- CreateIndex
CREATE INDEX "collections_languages_stale_idx" ON "collections"("id") WHERE "languages_stale";
