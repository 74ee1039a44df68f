-- CreateTable
CREATE TABLE "groups" (
    "connector_id" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "generation" TEXT NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("connector_id","principal")
);

-- CreateTable
CREATE TABLE "group_members" (
    "connector_id" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "member" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("connector_id","principal","member")
);

-- CreateIndex
CREATE INDEX "group_members_team_id_member_idx" ON "group_members"("team_id", "member");

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_connector_id_principal_fkey" FOREIGN KEY ("connector_id", "principal") REFERENCES "groups"("connector_id", "principal") ON DELETE CASCADE ON UPDATE CASCADE;
