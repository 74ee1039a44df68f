import { describe, expect, it } from '@jest/globals';
import { planQuery } from '#planner/plan-query';
import { readSchema } from '#planner/read-schema';

const TABLES = readSchema(`## Shop
id: con_1, PostgreSQL database shop, schema public
- orders (table): id integer, customer_id integer, status text, amount numeric(10,2), created_at timestamp with time zone — what was bought
- order_items (table): id integer, order_id integer, quantity integer
- customers (table): id integer, name text, country character varying(2), "Total" integer`);

describe('a query', () => {
  it.each([
    ['How many orders are there?', 'SELECT count(*) AS count FROM "orders"'],
    ['How many order items do we have?', 'SELECT count(*) AS count FROM "order_items"'],
    ['What is the average amount of orders?', 'SELECT avg("amount") AS "avg_amount" FROM "orders"'],
    ['What is the highest amount in orders?', 'SELECT max("amount") AS "max_amount" FROM "orders"'],
    ['How much revenue did the orders bring in total?', 'SELECT sum("amount") AS "sum_amount" FROM "orders"'],
    ['List all customers', 'SELECT * FROM "customers" LIMIT 20'],
    ['Show the 5 latest orders', 'SELECT * FROM "orders" ORDER BY "created_at" DESC LIMIT 20'],
    ['Show the latest 5 orders', 'SELECT * FROM "orders" ORDER BY "created_at" DESC LIMIT 5'],
    [
      'How many orders per status?',
      'SELECT "status", count(*) AS count FROM "orders" GROUP BY "status" ORDER BY 2 DESC LIMIT 20',
    ],
    [
      'How many orders have the status paid?',
      `SELECT count(*) AS count FROM "orders" WHERE lower('paid') IN (lower("status"::text))`,
    ],
    [
      `How many customers are named "O'Neil"?`,
      `SELECT count(*) AS count FROM "customers" WHERE lower('O''Neil') IN (lower("name"::text), lower("country"::text))`,
    ],
  ])('for: %s', (question, sql) => {
    expect(planQuery(question, TABLES)).toEqual({ sql, database: 'con_1' });
  });

  it('returns nothing if the question names no table', () => {
    expect(planQuery('How many days of leave do I get?', TABLES)).toBeUndefined();
  });
});
