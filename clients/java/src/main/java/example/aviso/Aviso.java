package example.aviso;

import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** The client. One serves all threads and users of a program: create it once. */
public final class Aviso extends Groups {
    /** The version of this library. */
    public static final String VERSION = "1.0.0";

    static final String USER_AGENT = "aviso-java/" + VERSION;

    private Aviso(Transport transport) {
        super(transport);
    }

    /**
     * Creates a client with {@code AVISO_CLIENT_ID}, {@code AVISO_CLIENT_SECRET} and
     * {@code AVISO_BASE_URL} of the environment.
     *
     * @return the client
     */
    public static Aviso create() {
        return builder().build();
    }

    /**
     * Creates a client with the base URL of the environment.
     *
     * @param clientId your {@code client_id}
     * @param clientSecret your {@code client_secret}
     * @return the client
     */
    public static Aviso create(String clientId, String clientSecret) {
        return builder().credentials(clientId, clientSecret).build();
    }

    /** {@return a builder, which has what {@link #create()} has until you set it} */
    public static Builder builder() {
        return new Builder(System.getenv());
    }

    /**
     * Acts for a user.
     *
     * @param userId the {@code userId} of the Partner User
     * @return the operations on this user's data
     */
    public User user(String userId) {
        return new User(transport, userId);
    }

    /** The operations that act for one user. */
    public static final class User extends UserGroups {
        private User(Transport transport, String userId) {
            super(transport, userId);
            if (userId == null || userId.isBlank()) {
                throw new IllegalArgumentException("userId is empty");
            }
        }

        /** {@return the user's ID} */
        public String id() {
            return userId;
        }
    }

    /** Sets up a client. */
    public static final class Builder {
        /** Waits between two attempts; tests replace it. */
        interface Sleeper {
            void sleep(Duration time) throws InterruptedException;
        }

        String clientId;
        String clientSecret;
        String baseUrl;
        int retries = 3;
        Duration timeout = Duration.ofSeconds(90);
        Duration attemptTimeout = Duration.ofSeconds(30);
        Clock clock = Clock.systemUTC();
        Sleeper sleeper = time -> Thread.sleep(time.toMillis());
        private Duration connectTimeout = Duration.ofSeconds(10);
        private HttpClient httpClient;

        Builder(Map<String, String> environment) {
            clientId = environment.get("AVISO_CLIENT_ID");
            clientSecret = environment.get("AVISO_CLIENT_SECRET");
            baseUrl = environment.get("AVISO_BASE_URL");
        }

        /**
         * Sets the credentials.
         *
         * @param id your {@code client_id}
         * @param secret your {@code client_secret}
         * @return this builder
         */
        public Builder credentials(String id, String secret) {
            clientId = id;
            clientSecret = secret;
            return this;
        }

        /**
         * Sets the address of the service.
         *
         * @param url such as {@code https://api.test.example.com}
         * @return this builder
         */
        public Builder baseUrl(String url) {
            baseUrl = url;
            return this;
        }

        /**
         * Sets how often a call is repeated at most, after 429, 503, 502, 504 and lost connections.
         *
         * @param count 3 by default; 0 switches retries off
         * @return this builder
         */
        public Builder retries(int count) {
            retries = count;
            return this;
        }

        /**
         * Bounds a call with all its retries.
         *
         * @param time 90 seconds by default
         * @return this builder
         */
        public Builder timeout(Duration time) {
            timeout = time;
            return this;
        }

        /**
         * Bounds each attempt of a call, until the whole answer is there.
         *
         * @param time 30 seconds by default
         * @return this builder
         */
        public Builder attemptTimeout(Duration time) {
            attemptTimeout = time;
            return this;
        }

        /**
         * Bounds the time to connect.
         *
         * @param time 10 seconds by default
         * @return this builder
         */
        public Builder connectTimeout(Duration time) {
            connectTimeout = time;
            return this;
        }

        /**
         * Sets the HTTP client, for a proxy or certificates of your own. Its time to connect holds.
         *
         * @param client the HTTP client
         * @return this builder
         */
        public Builder httpClient(HttpClient client) {
            httpClient = client;
            return this;
        }

        /**
         * Creates the client. Nothing is sent before its first call.
         *
         * @return the client
         */
        public Aviso build() {
            need(clientId, "client ID", "AVISO_CLIENT_ID");
            need(clientSecret, "client secret", "AVISO_CLIENT_SECRET");
            need(baseUrl, "base URL", "AVISO_BASE_URL");
            if (!baseUrl.matches("https?://.*")) {
                throw new IllegalArgumentException("the base URL must begin with http:// or https://");
            }
            baseUrl = baseUrl.replaceAll("/+$", "");
            var http = httpClient != null ? httpClient : HttpClient.newBuilder().connectTimeout(connectTimeout).build();
            return new Aviso(new Transport(this, http));
        }

        private static void need(String value, String what, String variable) {
            if (value == null || value.isBlank()) {
                throw new IllegalArgumentException("no " + what + ": set " + variable + " or give it to the builder");
            }
        }
    }
}
