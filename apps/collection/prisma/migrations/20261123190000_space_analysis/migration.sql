-- AlterTable: existing spaces follow earlier rules, so each is learned again once.
ALTER TABLE "spaces" ADD COLUMN "analysis" INTEGER NOT NULL DEFAULT 1;
