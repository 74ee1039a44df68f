import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** A mutation that refetches the queries named in `touches` and then calls `onDone`. */
export function useChange<T, Input = void>(
  action: (input: Input) => PromiseLike<T>,
  touches: readonly string[],
  onDone?: (result: T, input: Input) => void,
): UseMutationResult<T, Error, Input> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => action(input),
    onSuccess: (result, input) => {
      for (const name of touches) void queryClient.invalidateQueries({ queryKey: [name] });
      onDone?.(result, input);
    },
  });
}
