package example.aviso;

import com.fasterxml.jackson.annotation.JsonProperty;
import example.aviso.model.Problem;
import example.aviso.model.ProblemField;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The service has refused a request. The subclass is the kind of refusal, {@link #code} the reason. */
public abstract class ApiException extends AvisoException {
    private static final long serialVersionUID = 1L;
    private final transient Details details;

    ApiException(Details details) {
        super(details.message(), null);
        this.details = details;
    }

    /** {@return the HTTP status} */
    public int status() {
        return details.problem.status();
    }

    /** {@return the reason, for programs, such as {@code terms_not_accepted}; empty if the answer has none} */
    public String code() {
        return Objects.requireNonNullElse(details.problem.code(), "");
    }

    /** {@return the ID to quote to support; empty if the answer has none} */
    public String traceId() {
        return Objects.requireNonNullElse(details.problem.traceId(), "");
    }

    /** {@return what is wrong with the parts of the request} */
    public List<ProblemField> errors() {
        return Objects.requireNonNullElse(details.problem.errors(), List.of());
    }

    /** {@return how long to wait before the next try, if the service says so} */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(details.retryAfter);
    }

    /** {@return the whole problem document} */
    public Problem problem() {
        return details.problem;
    }

    static ApiException of(HttpResponse<byte[]> response, Instant now) {
        var details = Details.of(response, now);
        int status = response.statusCode();
        return switch (status) {
            case 401 -> new AuthenticationException(details);
            case 403 -> new PermissionDeniedException(details);
            case 404 -> new NotFoundException(details);
            case 409 -> new ConflictException(details);
            case 429 -> new RateLimitedException(details);
            default -> status < 500 ? new ValidationException(details) : new ServerException(details);
        };
    }

    record Details(Problem problem, Duration retryAfter) {
        /** What a problem document and an error of the token endpoint have, as far as this one has it. */
        private record Body(
                @JsonProperty("cancellationId") String cancellationId,
                @JsonProperty("code") String code,
                @JsonProperty("detail") String detail,
                @JsonProperty("errors") List<ProblemField> errors,
                @JsonProperty("nextRefreshPossibleAt") Instant nextRefreshPossibleAt,
                @JsonProperty("objectionId") String objectionId,
                @JsonProperty("title") String title,
                @JsonProperty("traceId") String traceId,
                @JsonProperty("type") String type,
                @JsonProperty("error") String error,
                @JsonProperty("error_description") String description) {}

        static Details of(HttpResponse<byte[]> response, Instant now) {
            Body body;
            try {
                body = Json.read(response.body(), Body.class);
            } catch (IOException e) {
                // It is not from the service, but from something on the way.
                body = new Body(null, null, null, null, null, null, null, null, null, null, null);
            }
            var headers = response.headers();
            var problem = new Problem(
                    body.cancellationId, first(body.code, body.error), first(body.detail, body.description), body.errors,
                    body.nextRefreshPossibleAt, body.objectionId, response.statusCode(), body.title,
                    first(body.traceId, headers.firstValue("X-Request-Id").orElse(null)), body.type);
            return new Details(problem, headers.firstValue("Retry-After").map(v -> wait(v, now)).orElse(null));
        }

        String message() {
            var text = new StringBuilder().append(problem.status());
            if (problem.code() == null) {
                text.append(" without a problem document: is this Aviso's address?");
            } else {
                text.append(" ").append(problem.code());
                var what = first(problem.detail(), problem.title());
                text.append(what == null ? "" : ": " + what);
            }
            for (var part : Objects.requireNonNullElse(problem.errors(), List.<ProblemField>of())) {
                var where = first(first(part.pointer(), part.parameter()), first(part.header(), part.fieldKey()));
                text.append(" (").append(where == null ? "" : where + " ")
                        .append(first(part.detail(), part.code())).append(")");
            }
            return text.append(problem.traceId() == null ? "" : ", trace ID " + problem.traceId()).toString();
        }

        private static String first(String value, String otherwise) {
            return value != null ? value : otherwise;
        }

        private static Duration wait(String retryAfter, Instant now) {
            try {
                if (retryAfter.matches("[0-9]{1,9}")) {
                    return Duration.ofSeconds(Long.parseLong(retryAfter));
                }
                var until = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
                return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
            } catch (DateTimeParseException e) {
                return null;
            }
        }
    }
}
