-- CreateEnum
CREATE TYPE "publishable_reads" AS ENUM ('public', 'all');

-- AlterTable: pairs from before keep what they could do; new ones read public documents only.
ALTER TABLE "key_pairs" ADD COLUMN "publishable_reads" "publishable_reads" NOT NULL DEFAULT 'all';
ALTER TABLE "key_pairs" ALTER COLUMN "publishable_reads" SET DEFAULT 'public';
