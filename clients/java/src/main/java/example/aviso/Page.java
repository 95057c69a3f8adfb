package example.aviso;

import java.util.List;

/**
 * One page of a list.
 *
 * @param items what is on it
 * @param nextToken the token of the next page; null if this is the last one
 * @param <T> what the list is of
 */
public record Page<T>(List<T> items, String nextToken) {}
