-- AlterTable
ALTER TABLE "messages" ADD COLUMN "documents" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "open_replies" ADD COLUMN "documents" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "reader" TEXT NOT NULL DEFAULT '';
