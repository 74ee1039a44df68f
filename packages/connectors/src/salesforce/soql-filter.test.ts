import { describe, expect, it } from '@jest/globals';
import { faultOfFilter } from '#salesforce/soql-filter';

describe('faultOfFilter', () => {
  it.each([
    "Industry = 'Energy'",
    "Industry = 'Energy' AND (AnnualRevenue > 1000 OR Name LIKE 'A%')",
    "Name = 'LIMIT 5) ORDER BY Name'",
    "Name = 'it\\'s'",
    'Limit__c = 5 AND Order.Status = null',
    "Id IN (SELECT AccountId FROM Contact WHERE Email LIKE '%@example.com')",
    "Id IN (SELECT AccountId FROM Contact WHERE (Email != null AND Name IN ('a', 'b'))) AND Name != null",
    'CreatedDate = LAST_N_DAYS:30',
  ])('accepts %s', (filter) => {
    expect(faultOfFilter(filter)).toBeUndefined();
  });

  it.each([
    ["Industry = 'Energy' LIMIT 5", 'LIMIT'],
    ['Name != null order  by Name', 'ORDER BY'],
    ['(Name != null) OFFSET 5', 'OFFSET'],
    ['(Name != null LIMIT 1)', 'LIMIT'],
    ["WHERE Name = 'x'", 'WHERE'],
    ['Name != null GROUP BY Name', 'GROUP BY'],
    ['Name != null ALL ROWS', 'ALL ROWS'],
    ['Name != null) OR (Name = null', 'parentheses'],
    ['(Name != null', 'parentheses'],
    ["Name = 'open", 'is not closed'],
    ['Id IN (SELECT AccountId FROM Contact ORDER BY Name)', 'ORDER BY'],
  ])('rejects %s', (filter, why) => {
    expect(faultOfFilter(filter)).toContain(why);
  });
});
