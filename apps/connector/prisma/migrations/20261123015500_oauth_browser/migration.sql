-- AlterTable
ALTER TABLE "oauth_states" ADD COLUMN "browser_hash" TEXT;
