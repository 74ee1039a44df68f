-- AlterTable
ALTER TABLE "key_pairs" ADD COLUMN "deleted_collections" TEXT[] DEFAULT ARRAY[]::TEXT[];
