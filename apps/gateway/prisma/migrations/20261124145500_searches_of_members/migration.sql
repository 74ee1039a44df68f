-- AlterTable
ALTER TABLE "search_records" ADD COLUMN "is_member" BOOLEAN NOT NULL DEFAULT false;
