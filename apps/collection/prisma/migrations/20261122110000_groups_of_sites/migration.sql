-- Groups without their site could be those of another site (docs/adr/0014): nobody is in them until their connector reads them anew.
-- A workspace of Slack (T, E) is its own site.
DELETE FROM "groups"
WHERE "principal" LIKE 'group:confluence:%' AND "principal" NOT LIKE '%/%'
   OR "principal" LIKE 'group:slack:%' AND "principal" NOT LIKE '%/%' AND "principal" !~ '^group:slack:[TE]';
