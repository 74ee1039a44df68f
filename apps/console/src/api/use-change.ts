import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** Creates a mutation that invalidates the queries named in `affected` and then calls `onDone`. */
export function useChange<T, Input = void>(
  action: (input: Input) => PromiseLike<T>,
  affected: readonly string[],
  onDone?: (result: T, input: Input) => void,
): UseMutationResult<T, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => action(input),
    onSuccess: (result, input) => {
      for (const name of affected) void queryClient.invalidateQueries({ queryKey: [name] });
      onDone?.(result, input);
    },
  });
}
