import { Link } from 'wouter';
import { Empty } from '#ui/empty.tsx';

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <p>
        <Link href="/search">Go to the search</Link>
      </p>
    </Empty>
  );
}
