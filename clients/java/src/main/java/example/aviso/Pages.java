package example.aviso;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A list over all its pages. Each page is fetched when it is needed; each iteration begins again.
 *
 * @param <T> what the list is of
 */
public final class Pages<T> implements Iterable<T> {
    private final Function<String, Page<T>> pages;

    <A> Pages(Transport transport, Call call, Class<A> envelope, Function<A, Page<T>> page) {
        this.pages = token -> page.apply(transport.send(token == null ? call : call.page(token), envelope));
    }

    /** {@return one page: the first one, or that of the {@code nextToken} in the options} */
    public Page<T> page() {
        return pages.apply(null);
    }

    /** {@return all items as a stream; it is lazy, so {@code limit} saves requests} */
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /** {@return all items, after all pages have been fetched} */
    public List<T> toList() {
        return stream().toList();
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private Iterator<T> items = List.<T>of().iterator();
            private String token;
            private boolean last;

            @Override
            public boolean hasNext() {
                while (!items.hasNext() && !last) {
                    var page = pages.apply(token);
                    items = page.items().iterator();
                    token = page.nextToken();
                    last = token == null || token.isEmpty();
                }
                return items.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return items.next();
            }
        };
    }
}
