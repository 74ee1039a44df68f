import { Link } from 'wouter';
import { Empty } from '#ui/empty.tsx';

export function NotFound() {
  return (
    <Empty title="Page not found">
      <p>
        <Link href="/">Go to the start page</Link>
      </p>
    </Empty>
  );
}
