import aviso.apis.AccountsApi
import aviso.apis.AuthenticationApi
import aviso.apis.ConnectionsApi
import aviso.apis.ProvidersApi
import aviso.apis.TermsApi
import aviso.apis.TransactionsApi
import aviso.apis.UsersApi
import aviso.infrastructure.ApiClient
import aviso.infrastructure.ClientError
import aviso.infrastructure.ClientException
import aviso.infrastructure.Serializer
import aviso.models.AcceptTermsRequest
import aviso.models.CreateConnectionRequest
import aviso.models.CreateUserRequest
import aviso.models.Problem
import java.math.BigDecimal
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.UUID

val here: String = System.getenv("BASE_URL")

/** Connects two people's accounts and reads them with the generated client. */
fun main() {
    ApiClient.accessToken = AuthenticationApi(here).createToken(
        AuthenticationApi.GrantTypeCreateToken.CLIENT_CREDENTIALS, "sandbox", "sandbox-secret",
    ).accessToken
    val user = UsersApi(here).createUser(CreateUserRequest("DE", "en")).`data`.user.userId
    println("user $user")
    for (terms in TermsApi(here).listTerms().`data`.terms) {
        val type = AcceptTermsRequest.TermsType.entries.first { it.value == terms.termsType }
        TermsApi(here).acceptTerms(user, AcceptTermsRequest(type, terms.version))
    }
    val connection = listOf("family", "anna").map { connect(user, it) }.last()

    println("accounts ${AccountsApi(here).listAccounts("$user").`data`.accounts.size}")
    var count = 0
    var sum = BigDecimal.ZERO
    var more: String? = null
    do {
        val page = TransactionsApi(here).listTransactions("$user", limit = 200, nextToken = more)
        count += page.`data`.transactions.size
        sum = page.`data`.transactions.fold(sum) { total, row -> total + row.amount }
        more = page.meta.pagination.nextToken
    } while (more != null)
    println("transactions $count")
    println("sum ${sum.setScale(2)}")

    try {
        TransactionsApi(here).getTransaction("$user", UUID.randomUUID())
    } catch (refused: ClientException) {
        val body = (refused.response as ClientError<*>).body as String
        val problem = Serializer.moshi.adapter(Problem::class.java).fromJson(body)
        println("error ${problem?.status} ${problem?.code}")
    }

    val later = System.getenv("FUTURE_URL")
    val state = ConnectionsApi(later).getConnection("$user", connection).`data`.connection.connectionStatus
    val type = AccountsApi(later).listAccounts("$user").`data`.accounts[0].accountType
    val rows = TransactionsApi(later).listTransactions("$user", limit = 4).`data`.transactions
    println("future ${rows.joinToString(" ") { it.amount.toPlainString() }} $state $type ${rows[0].recordState}")
}

fun connect(user: UUID, persona: String): UUID {
    val bank = ProvidersApi(here).listProviders(providerNameFilter = "linden").`data`.providers[0]
    val request = CreateConnectionRequest(bank.id, returnUrl = URI("http://localhost:8080/"))
    val link = ConnectionsApi(here).createConnection("$user", request).`data`
    val approval = HttpRequest.newBuilder(URI(System.getenv("APPROVE_URL") + persona))
        .POST(HttpRequest.BodyPublishers.ofString(link.redirectUrl.toString())).build()
    HttpClient.newHttpClient().send(approval, HttpResponse.BodyHandlers.discarding())
    while (ConnectionsApi(here).getConnection("$user", link.connectionId).`data`.connection.lastSuccessAt.year == 1) {
        Thread.sleep(200)
    }
    return link.connectionId
}
